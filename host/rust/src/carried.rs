use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Declares a JSON value that is carried and never looked into.
macro_rules! carried {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        ///
        /// It is JSON text of one value; the text that came is the text that
        /// goes. To save it, write it as a string (`to_string`) and read it with
        /// `parse`, or put it into a type of your own with serde_json. Any text
        /// of the same value is as good, however a database wrote it again.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Box<RawValue>);

        impl $name {
            /// The JSON text.
            pub fn as_str(&self) -> &str {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = serde_json::Error;

            /// Takes JSON text of one value; what the value says, the module
            /// checks when it is given.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                serde_json::from_str(text)
            }
        }

        impl From<Box<RawValue>> for $name {
            fn from(value: Box<RawValue>) -> Self {
                Self(value)
            }
        }
    };
}

carried! {
    /// What a host keeps for a thread.
    State
}

carried! {
    /// The context that a thread was last told.
    Store
}
