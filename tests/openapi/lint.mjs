// node lint.mjs: lints server/api/openapi.json by redocly.yaml. Exit code 1 where there is something to say.
import { fileURLToPath } from "node:url";
import { formatProblems, getTotals, lint, loadConfig } from "@redocly/openapi-core";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const config = await loadConfig({ configPath: here("redocly.yaml") });
const problems = await lint({ ref: here("../../server/api/openapi.json"), config });
const counted = problems.filter((problem) => !problem.ignored);
formatProblems(problems, { format: "stylish", totals: getTotals(problems), version: "" });
console.log(`openapi.json: ${counted.length} problems`);
process.exit(counted.length === 0 ? 0 : 1);
