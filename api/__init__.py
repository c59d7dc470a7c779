"""The doors: HTTP and the command line. They convert the request, call one service, and convert the answer."""
