// The shared worker: one event stream for all tabs of a browser. More than a few would use up the
// connections that a browser makes to one server. A tab says "open" and "close"; one that crashes
// says nothing, and does no harm: the worker ends with the last tab.
import { type LinkState, type LiveStream, run_stream } from "./live_stream";

const tabs = new Set<MessagePort>();
let stream: LiveStream | null = null;
let link: LinkState = "connecting";

function tell(message: object): void {
  for (const tab of tabs) tab.postMessage(message);
}

function open(tab: MessagePort): void {
  tabs.add(tab);
  if (stream) {
    tab.postMessage({ link });
    stream.retry();
    return;
  }
  stream = run_stream({
    event: (event) => tell({ event }),
    link: (state) => {
      link = state;
      tell({ link });
    },
  });
}

function close(tab: MessagePort): void {
  tabs.delete(tab);
  if (tabs.size > 0) return;
  stream?.stop();
  stream = null;
  link = "connecting";
}

const worker = self as unknown as { onconnect: (event: MessageEvent) => void };
worker.onconnect = ({ ports: [tab] }) => {
  if (!tab) return;
  tab.onmessage = ({ data }) => (data === "open" ? open(tab) : close(tab));
};
