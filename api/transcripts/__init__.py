"""Transcripts of other programs and in our own JSONL: read, and sent to a running service."""

from api.transcripts.jsonl import read_transcript
from api.transcripts.sending import BATCH, Loaded, load
from api.transcripts.shape import Reading, TranscriptSession

__all__ = ["BATCH", "Loaded", "Reading", "TranscriptSession", "load", "read_transcript"]
