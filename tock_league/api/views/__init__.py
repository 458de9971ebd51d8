"""Endpoints, a module for each app that they read. Each parses the request, calls selectors or one service, and serializes."""
