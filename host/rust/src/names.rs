/// Declares an enum of names that the module answers with. A name that this
/// version does not know is kept, so that a newer module of the same ABI can
/// be read.
macro_rules! names {
    ($(#[$attribute:meta])* $name:ident {
        $($(#[$variant_attribute:meta])* $variant:ident = $text:literal,)*
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(from = "String", into = "String")]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_attribute])* $variant,)*
            /// A name that this version of the package does not know.
            Other(String),
        }

        impl $name {
            /// The name, as JSON has it.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(name) => name,
                }
            }
        }

        impl From<String> for $name {
            fn from(name: String) -> Self {
                match name.as_str() {
                    $($text => Self::$variant,)*
                    _ => Self::Other(name),
                }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.as_str().to_owned()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use names;
