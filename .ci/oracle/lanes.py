"""Several mutants at the same time: a lane is a sandbox of each release and a folder for plumb, worked by one thread."""

import threading

from ask import Daemon, Plumb


class Lane:
    def __init__(self, kind, roots, memory, program):
        self.daemons = [Daemon(kind, *root.split("=", 1), memory) for root in roots]
        self.plumb = Plumb(program)

    def close(self):
        for daemon in self.daemons:
            daemon.close()
        self.plumb.close()


class Lanes:
    """WIDTH lanes for the daemons of one kind. The thread that makes them must outlive them: sandboxes end with it."""

    def __init__(self, width, kind, roots, memory, program):
        self.stopped = threading.Event()
        self.lanes = [Lane(kind, roots, memory, program) for _ in range(width)]
        for lane in self.lanes:
            for daemon in lane.daemons:
                daemon.wait_until_ready()

    def map(self, work, items):
        """Yields WORK(lane, item) of every item, in the order of ITEMS, each made by the lane that is free first."""
        items = list(items)
        results, done = {}, threading.Condition()
        numbers = iter(range(len(items)))

        def drive(lane):
            while not self.stopped.is_set():
                with done:
                    number = next(numbers, None)
                if number is None:
                    return
                try:
                    result = (work(lane, items[number]), None)
                except Exception as error: # raised again by the thread that asked for it
                    result = (None, error)
                with done:
                    results[number] = result
                    done.notify_all()

        threads = [threading.Thread(target=drive, args=(lane,), daemon=True) for lane in self.lanes]
        for thread in threads:
            thread.start()
        for number in range(len(items)):
            with done:
                while number not in results:
                    done.wait()
                value, error = results.pop(number)
            if error:
                raise error
            yield value

    def speed(self):
        """[(release, verdicts that its sandboxes gave, seconds that they took)]"""
        releases = [daemon.release for daemon in self.lanes[0].daemons]
        return [(release, sum(lane.daemons[i].asked for lane in self.lanes),
                 sum(lane.daemons[i].seconds for lane in self.lanes)) for i, release in enumerate(releases)]

    def close(self):
        self.stopped.set()
        for lane in self.lanes:
            lane.close()
