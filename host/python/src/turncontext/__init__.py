"""What an agent's model is told about the outside world, turn by turn.

Open a Module; a Thread keeps the state of one thread. Requests and answers are JSON values, typed
in ``turncontext.types``.
"""

from . import types
from ._errors import ModuleError, RequestError
from ._module import Module
from ._thread import Prepared, PreparedTurn, Thread

__all__ = ["Module", "ModuleError", "Prepared", "PreparedTurn", "RequestError", "Thread", "types"]
