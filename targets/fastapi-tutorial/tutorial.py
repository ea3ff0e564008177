"""app.py with what the tutorial adds to it: in section 4 a method that raises ValueError, and in section 5 sse.py beside it, as the
first line of sse.py says (mount alongside FastAPI app)."""

from app import METHODS, app
from sse import app as streams


def ai_generate(prompt: str) -> str:
    # pseudo-code; replace with your LLM
    if len(prompt) > 4000:
        raise ValueError("Prompt too long")
    return "Generated text..."


METHODS["ai/generate"] = ai_generate
app.include_router(streams.router)
