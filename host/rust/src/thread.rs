use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{
    ActiveTurn, Error, Failure, Input, Module, ModuleError, Params, Policy, Receipt, Reconcile,
    ReconcileResponse, State, Turn, TurnResponse, TurnStart, TurnStartParams, TurnSteer,
    TurnSteerParams,
};

/// The state of one thread, with what may happen to it.
///
/// What changes the thread borrows it mutably, so changes come one after the
/// other, and while a turn is prepared nothing else can change it. Several
/// threads of execution share one through a lock of their runtime's, held until
/// the prepared turn is committed. An error changes nothing.
///
/// Record the messages in the history first, then save the state: a crash
/// between the two then repeats a message instead of losing one.
/// [`prepare_start`](Self::prepare_start) and [`prepare_steer`](Self::prepare_steer)
/// leave room for that, as does
/// [`prepare_reconcile`](Self::prepare_reconcile); [`start`](Self::start) and [`steer`](Self::steer) are for
/// a history that cannot fail.
#[derive(Debug, Clone)]
pub struct Thread {
    module: Module,
    policy: Option<Policy>,
    now: Now,
}

/// A state, with what stands at its beginning.
#[derive(Debug, Clone)]
struct Now {
    state: State,
    id: String,
    active_turn: Option<ActiveTurn>,
}

/// What this package reads of a state.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    thread_id: String,
    active_turn: Option<ActiveTurn>,
}

impl Now {
    fn read(state: State) -> Result<Self, serde_json::Error> {
        let Head {
            thread_id,
            active_turn,
        } = serde_json::from_str(state.as_str())?;
        Ok(Self {
            state,
            id: thread_id,
            active_turn,
        })
    }

    /// Reads a state that a function of the module answered.
    fn answered(function: &str, state: State) -> Result<Self, Error> {
        Self::read(state).map_err(|error| {
            let failure = Failure::Malformed(format!("state: {error}"));
            Error::Module(ModuleError {
                function: function.to_owned(),
                failure,
            })
        })
    }
}

impl Thread {
    pub(crate) fn new(module: Module, id: String) -> Self {
        let text = format!(
            r#"{{"version":1,"threadId":{},"activeTurn":null,"additionalContext":{{}}}}"#,
            Value::from(id.as_str())
        );
        // That is JSON; if it were not, the module would refuse the null.
        let state = RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Self {
            module,
            policy: None,
            now: Now {
                state: state.into(),
                id,
                active_turn: None,
            },
        }
    }

    pub(crate) fn restored(module: Module, state: &State) -> Result<Self, Error> {
        let now = read_state(&module, state)?;
        Ok(Self {
            module,
            policy: None,
            now,
        })
    }

    /// The same thread with a policy for all calls that come without one.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// The thread's id.
    pub fn id(&self) -> &str {
        &self.now.id
    }

    /// The turn that the thread is in, if any.
    pub fn active_turn(&self) -> Option<&ActiveTurn> {
        self.now.active_turn.as_ref()
    }

    /// The state, to be saved.
    pub fn snapshot(&self) -> &State {
        &self.now.state
    }

    /// Starts a turn, or steers the active one, and adopts the new state at once.
    ///
    /// # Errors
    ///
    /// Those of [`Module::turn_start`].
    pub fn start(&mut self, request: TurnStart) -> Result<TurnResponse, Error> {
        Ok(self.prepare_start(request)?.commit())
    }

    /// Adds to the active turn and adopts the new state at once.
    ///
    /// # Errors
    ///
    /// Those of [`Module::turn_steer`].
    pub fn steer(&mut self, request: TurnSteer) -> Result<TurnResponse, Error> {
        Ok(self.prepare_steer(request)?.commit())
    }

    /// Does what [`start`](Self::start) does, but for adopting the new state:
    /// that is for the caller to commit.
    ///
    /// # Errors
    ///
    /// Those of [`Module::turn_start`].
    pub fn prepare_start(&mut self, mut request: TurnStart) -> Result<Prepared<'_>, Error> {
        if let Params::Fields(TurnStartParams { thread_id, .. }) = &mut request.params {
            self.complete(thread_id);
        }
        request.policy = request.policy.or_else(|| self.policy.clone());
        let response = self.module.turn_start(Some(&self.now.state), &request)?;
        self.prepared("turn_start", response)
    }

    /// Does what [`steer`](Self::steer) does, but for adopting the new state:
    /// that is for the caller to commit.
    ///
    /// # Errors
    ///
    /// Those of [`Module::turn_steer`].
    pub fn prepare_steer(&mut self, mut request: TurnSteer) -> Result<Prepared<'_>, Error> {
        if let Params::Fields(TurnSteerParams { thread_id, .. }) = &mut request.params {
            self.complete(thread_id);
        }
        request.policy = request.policy.or_else(|| self.policy.clone());
        let response = self.module.turn_steer(&self.now.state, &request)?;
        self.prepared("turn_steer", response)
    }

    /// Says that a turn began which no client started: a review or a compact
    /// turn. It takes the place of an active one.
    ///
    /// # Errors
    ///
    /// Those of [`Module::turn_set`].
    pub fn set(&mut self, turn: &ActiveTurn) -> Result<(), Error> {
        self.turn_set(Some(turn), None)
    }

    /// Says that a turn ended. If it is not the active one, because another
    /// began in the meantime, nothing changes.
    ///
    /// # Errors
    ///
    /// Those of [`Module::turn_set`].
    pub fn end(&mut self, turn_id: &str) -> Result<(), Error> {
        self.turn_set(None, Some(turn_id))
    }

    /// Returns what the model has to be told again after its history changed,
    /// and adopts the new state at once.
    ///
    /// # Errors
    ///
    /// Those of [`Module::reconcile`].
    pub fn reconcile(&mut self, request: Reconcile) -> Result<ReconcileResponse, Error> {
        Ok(self.prepare_reconcile(request)?.commit())
    }

    /// Does what [`reconcile`](Self::reconcile) does, but for adopting the new
    /// state: that is for the caller to commit.
    ///
    /// # Errors
    ///
    /// Those of [`Module::reconcile`].
    pub fn prepare_reconcile(
        &mut self,
        mut request: Reconcile,
    ) -> Result<PreparedReconcile<'_>, Error> {
        request.policy = request.policy.or_else(|| self.policy.clone());
        let ReconcileResponse {
            state,
            inputs,
            receipts,
        } = self.module.reconcile(&self.now.state, &request)?;
        let next = Now::answered("reconcile", state)?;
        Ok(PreparedReconcile {
            inputs,
            receipts,
            next,
            thread: self,
        })
    }

    /// Makes the thread go on from another state of its own, as a rollback does
    /// from an older one. The module reads it first.
    ///
    /// # Errors
    ///
    /// Those of [`Module::restore_thread`], and [`Error::OtherThread`].
    pub fn restore(&mut self, state: &State) -> Result<(), Error> {
        let now = read_state(&self.module, state)?;
        if now.id != self.now.id {
            return Err(Error::OtherThread { id: now.id });
        }
        self.now = now;
        Ok(())
    }

    /// Puts the thread's id into params without one.
    fn complete(&self, thread_id: &mut String) {
        if thread_id.is_empty() {
            thread_id.clone_from(&self.now.id);
        }
    }

    fn prepared(&mut self, function: &str, response: TurnResponse) -> Result<Prepared<'_>, Error> {
        let TurnResponse {
            state,
            turn,
            inputs,
            receipts,
        } = response;
        let next = Now::answered(function, state)?;
        Ok(Prepared {
            turn,
            inputs,
            receipts,
            next,
            thread: self,
        })
    }

    fn turn_set(
        &mut self,
        turn: Option<&ActiveTurn>,
        if_turn_id: Option<&str>,
    ) -> Result<(), Error> {
        let answer = self.module.turn_set(&self.now.state, turn, if_turn_id)?;
        self.now = Now::answered("turn_set", answer.state)?;
        Ok(())
    }
}

/// Has the module read a state, and returns it in the module's words.
fn read_state(module: &Module, state: &State) -> Result<Now, Error> {
    let active_id = Now::read(state.clone())
        .ok()
        .and_then(|now| now.active_turn)
        .map_or_else(String::new, |turn| turn.id);
    // With the id of another turn than the active one, nothing is set.
    let answer = module.turn_set(state, None, Some(&format!("not {active_id}")))?;
    Now::answered("turn_set", answer.state)
}

/// A turn that was started or steered, with the thread as it was. Record the
/// inputs, save the state, then commit; dropped without that, it is as if
/// nothing had been asked.
///
/// ```
/// use turncontext::{Context, Entry, Module, TurnStart, TurnStartParams, UserInput};
///
/// let module = Module::open()?;
/// let mut thread = module.new_thread("thread-1");
/// let mut history = Vec::new();
///
/// let params = TurnStartParams {
///     input: vec![UserInput::text("Why is CI red?")],
///     additional_context: Some(Context::from([("ci", Entry::untrusted("build 812 failed"))])),
///     ..Default::default()
/// };
/// let prepared = thread.prepare_start(TurnStart::new("turn-1", params))?;
/// history.extend(prepared.inputs.iter().map(|input| input.item.clone()));
/// let saved = prepared.state().to_string(); // on a disk, in truth
/// prepared.commit();
///
/// assert_eq!(history.len(), 2);
/// assert_eq!(thread.snapshot().as_str(), saved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a turn that is not committed is dropped"]
pub struct Prepared<'a> {
    /// The turn that the input goes to.
    pub turn: Turn,
    /// What to tell the model, in order.
    pub inputs: Vec<Input>,
    /// What happened to each key of the context, in key order.
    pub receipts: Vec<Receipt>,
    next: Now,
    thread: &'a mut Thread,
}

impl Prepared<'_> {
    /// The new state, to be saved.
    pub fn state(&self) -> &State {
        &self.next.state
    }

    /// Adopts the new state, and returns the whole answer.
    pub fn commit(self) -> TurnResponse {
        let Self {
            turn,
            inputs,
            receipts,
            next,
            thread,
        } = self;
        let state = next.state.clone();
        thread.now = next;
        TurnResponse {
            state,
            turn,
            inputs,
            receipts,
        }
    }

    /// Drops the new state, as if nothing had been asked. So does dropping it.
    pub fn discard(self) {}
}

/// What a thread was reconciled to, with the thread as it was. Record the
/// inputs, save the state, then commit; dropped without that, it is as if
/// nothing had been asked.
#[derive(Debug)]
#[must_use = "what is not committed is dropped"]
pub struct PreparedReconcile<'a> {
    /// What to tell the model again, in order.
    pub inputs: Vec<Input>,
    /// What happened to each key of the context, in key order.
    pub receipts: Vec<Receipt>,
    next: Now,
    thread: &'a mut Thread,
}

impl PreparedReconcile<'_> {
    /// The new state, to be saved.
    pub fn state(&self) -> &State {
        &self.next.state
    }

    /// Adopts the new state, and returns the whole answer.
    pub fn commit(self) -> ReconcileResponse {
        let Self {
            inputs,
            receipts,
            next,
            thread,
        } = self;
        let state = next.state.clone();
        thread.now = next;
        ReconcileResponse {
            state,
            inputs,
            receipts,
        }
    }

    /// Drops the new state, as if nothing had been asked. So does dropping it.
    pub fn discard(self) {}
}
