"""Render an agent's memory into an OpenAI Responses request."""
