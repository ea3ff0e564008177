"""Takes a request with id null for a notification: `if message.get('id') is None`."""

from quirk_core import Core


class Quirk(Core):
    def is_notification(self, message):
        return message.get("id") is None


Quirk().serve()
