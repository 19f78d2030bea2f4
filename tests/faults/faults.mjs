// node faults.mjs --binary FILE --scratch DIRECTORY [--browser FILE] [--quick] [--only TEXT]
import { parseArgs } from "node:util";
import * as browser from "./browser.mjs";
import * as injection from "./injection.mjs";
import * as interrupted from "./interrupted.mjs";
import * as malformed from "./malformed.mjs";
import * as slow from "./slow_clients.mjs";
import * as storage from "./storage.mjs";
import { Suite } from "./suite.mjs";

const text = { type: "string" };
const flag = { type: "boolean" };
const { values } = parseArgs({
  options: { binary: text, scratch: text, browser: text, quick: flag, only: text },
});

const second_ms = 1_000;
const minute_ms = 60 * second_ms;

for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1));
process.setMaxListeners(0); // one per server, so that none outlives this process
const suite = new Suite(values);
await suite.fault("slow header", 3 * minute_ms, slow.slow_header);
await suite.fault("slow body", 4 * minute_ms, slow.slow_body);
await suite.fault("slow reader", 4 * minute_ms, slow.slow_reader);
await suite.fault("connection flood", 3 * minute_ms, slow.connection_flood);
await suite.fault("event streams that vanish", 5 * minute_ms, slow.vanishing_streams);
await suite.fault("request smuggling", 3 * minute_ms, malformed.smuggling);
await suite.fault("bodies that lie or never end", 3 * minute_ms, malformed.bodies);
await suite.fault("JSON bombs and oddities", 3 * minute_ms, malformed.json_oddities);
const chromium = values.browser;
await suite.fault("DNS rebinding", 3 * minute_ms, browser.rebinding(chromium));
await suite.fault("requests of other sites' pages", 5 * minute_ms, browser.cross_site(chromium));
await suite.fault("names that are markup", 5 * minute_ms, browser.names_as_markup(chromium));
await suite.fault("names that are formulas, in CSV", 3 * minute_ms, injection.csv);
await suite.fault("SQL injection", 5 * minute_ms, injection.sql);
await suite.fault("path traversal", 5 * minute_ms, injection.traversal);
await suite.fault("kill -9 at random moments", 30 * minute_ms, interrupted.killed);
await suite.fault("SIGTERM under load", 10 * minute_ms, interrupted.terminated);
await suite.fault("the clock jumps by a day", 5 * minute_ms, interrupted.clock_jumps);
await suite.fault(
  "many queued searches",
  20 * minute_ms,
  interrupted.queue,
  interrupted.queue_setup,
);
await suite.fault("disk full", 5 * minute_ms, storage.disk_full, { start: false });
await suite.fault("file size limit", 5 * minute_ms, storage.file_size_limit);
await suite.fault("database locked by another process", 10 * minute_ms, storage.locked);
await suite.fault("a long reader", 5 * minute_ms, storage.long_reader);
await suite.fault("damaged database files", 3 * minute_ms, storage.damaged_files, { start: false });
process.exit(suite.finish());
