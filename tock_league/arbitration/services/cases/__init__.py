"""Services of a case from call or dispute to its end: events, deadlines, texts, dismissal."""
