"""The outputs: each carries replies to one kind of device. They decide nothing."""
