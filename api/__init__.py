"""The doors: HTTP and the command line. They translate, call one service, and translate back."""
