"""app.py with what section 4 of the tutorial adds to it: a method that raises ValueError."""

from app import METHODS, app


def ai_generate(prompt: str) -> str:
    # pseudo-code; replace with your LLM
    if len(prompt) > 4000:
        raise ValueError("Prompt too long")
    return "Generated text..."


METHODS["ai/generate"] = ai_generate
