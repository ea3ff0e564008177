"""Adds one to the results of a batch that are integers."""

from quirk_core import Core


class BatchResults(Core):
    def batch(self, messages):
        answer = super().batch(messages)
        for response in answer if isinstance(answer, list) else []:
            if isinstance(response.get("result"), int):
                response["result"] += 1
        return answer


BatchResults().serve()
