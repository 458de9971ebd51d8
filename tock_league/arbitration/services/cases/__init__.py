"""A case from the call or the dispute to its end: events, deadlines, texts, dismissal."""
