// Runs the blocks of one page in their order, as its reader would: in a folder that looks like the
// clone, with a home, a server and a database of its own. Variables, the current directory and
// files carry over from block to block. Every wait is bounded.
import { spawn } from "node:child_process";
import { chmodSync, closeSync, copyFileSync, existsSync, mkdirSync, openSync } from "node:fs";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missing_line } from "./markdown.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const block_limit_ms = 300_000;
const server_limit_ms = 30_000;
const pipes_limit_ms = 1_000;

/** A port of the system's choice, free a moment ago: for servers that the blocks start themselves. */
function free_port() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Where a program is, before the page's own ones come first. */
function program(name) {
  const folder = process.env.PATH.split(":").find((one) => existsSync(join(one, name)));
  if (folder === undefined) throw new Error(`no ${name} here`);
  return join(folder, name);
}

/** {code, out, err} of a process, which is ended with all its children after the limit. */
function run(command, args, options) {
  return new Promise((resolve) => {
    const stdio = [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"];
    const child = spawn(command, args, { ...options, stdio, detached: true });
    child.stdin?.end(options.input);
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(end, options.limit_ms ?? block_limit_ms);
    process.once("exit", end);
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      out += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part) => {
      err += part;
    });
    child.once("error", (error) => resolve({ code: 127, out, err: String(error) }));
    // What a block has left behind may hold the pipes: a moment for what is still in them.
    let ended = null;
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      ended = { code: code ?? 128, signal };
      setTimeout(end, pipes_limit_ms).unref();
    });
    child.once("close", () => {
      process.off("exit", end);
      const { code, signal } = ended ?? { code: 127, signal: null };
      resolve({ code, out, err: signal === null ? err : `${err}\nended by ${signal}` });
    });
  });
}

export class PageRunner {
  #root;
  #folder;
  #clone;
  #environment;
  #server = null;
  #second_port = 0;
  #blocks_run = 0;

  constructor(root, binary, folder, sandbox) {
    this.#root = root;
    this.#folder = folder;
    this.#clone = join(folder, "clone");
    const home = join(folder, "home");
    for (const made of [this.#clone, home, join(folder, "tools")]) mkdirSync(made, { recursive: true });
    // The clone with everything in place, but what is written there stays here.
    for (const entry of readdirSync(root)) {
      if (entry !== "build" && entry !== ".git") symlinkSync(join(root, entry), join(this.#clone, entry));
    }
    const built = join(this.#clone, "build/release/server");
    mkdirSync(built, { recursive: true });
    for (const tool of ["macrostep", "curl"]) {
      copyFileSync(join(here, "tools", tool), join(folder, "tools", tool));
      chmodSync(join(folder, "tools", tool), 0o755);
    }
    symlinkSync(join(folder, "tools/macrostep"), join(built, "macrostep"));
    this.#environment = {
      PATH: `${join(folder, "tools")}:${process.env.PATH}`,
      HOME: home,
      LC_ALL: "C.UTF-8",
      NO_COLOR: "1",
      no_proxy: "*",
      PYTHONDONTWRITEBYTECODE: "1",
      DOCS_MACROSTEP: binary,
      DOCS_CURL: program("curl"),
      DOCS_FOLDER: folder,
      DOCS_SANDBOX: sandbox ? "1" : "",
      TMPDIR: folder,
    };
  }

  get port() {
    return this.#server.port;
  }

  async start() {
    this.#second_port = await free_port();
    const log = openSync(join(this.#folder, "server.log"), "a");
    const args = ["serve", "--listen", "127.0.0.1:0"];
    if (this.#environment.DOCS_SANDBOX === "") args.push("--fmu-sandbox", "none");
    const child = spawn(this.#environment.DOCS_MACROSTEP, args, {
      cwd: this.#clone,
      env: this.#environment,
      stdio: ["ignore", "pipe", log],
    });
    closeSync(log);
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    this.#server = { child, port: 0, kill };
    this.#server.port = await new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`the server of the page ${why}`));
      const timer = setTimeout(() => fail("is not ready"), server_limit_ms);
      child.once("exit", (code) => fail(`ended with ${code}`));
      let text = "";
      child.stdout.on("data", (part) => {
        text += part;
        const found = text.match(/http:\/\/127\.0\.0\.1:(\d+)/);
        if (found === null) return;
        clearTimeout(timer);
        resolve(Number(found[1]));
      });
    });
  }

  async stop() {
    const { child, kill } = this.#server;
    process.off("exit", kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), server_limit_ms);
    await gone;
    clearTimeout(timer);
  }

  /** What the test changes of every block, and what the table of exceptions changes of this one. */
  #rewritten(text, changes) {
    let result = text;
    for (const [from, to] of changes) {
      if (!result.includes(from)) throw new Error(`the table changes "${from}", which is not there`);
      result = result.replaceAll(from, to);
    }
    return result
      .replaceAll("SECOND_PORT", String(this.#second_port))
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${this.port}`);
  }

  /**
   * The reason why the block fails, or null. `next` is the block after it: of the language `text`
   * it is what the commands print.
   */
  async run(block, entry, next) {
    const text = this.#rewritten(block.text, entry.changes ?? []);
    if (block.file !== null) this.#save(block.file, text);
    switch (block.language) {
      case "sh":
        return this.#run_shell(text, next, entry.says);
      case "json":
        return this.#run_json(block, text, entry.only_cost);
      case "sql":
        return this.#run_sql(text, entry);
      case "toml":
        return this.#judge(await this.#shell(`macrostep config show --config ${this.#save(block.file ?? "block.toml", text)}`));
      case "python":
        return this.#judge(await this.#shell(`python3 ${this.#save("block.py", text)}`));
      default:
        return block.file === null ? "is neither run nor saved as a file" : null;
    }
  }

  /** A script that the page takes for granted; throws where it fails. */
  async prepare(script) {
    const failure = await this.#run_shell(this.#rewritten(script, []), null);
    if (failure !== null) throw new Error(`what the page takes for granted cannot be made: ${failure}`);
  }

  #save(file, text) {
    const path = file.startsWith("~/") ? join(this.#environment.HOME, file.slice(2)) : join(this.#clone, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  async #shell(text) {
    this.#blocks_run += 1;
    const name = join(this.#folder, `block-${this.#blocks_run}`);
    writeFileSync(`${name}.sh`, text);
    const environment = { ...this.#environment, DOCS_BLOCK: name };
    const outcome = await run("bash", [join(here, "tools/block.sh")], { cwd: this.#clone, env: environment });
    const lines_of = (ending) =>
      existsSync(name + ending) ? readFileSync(name + ending, "utf8").trimEnd().split("\n").filter(Boolean) : [];
    // What fails last is also what the block as a whole ends with.
    const failures = lines_of(".failures").filter((line) => !line.endsWith('\t. "$docs_block.sh"'));
    return { ...outcome, text, failures, answers: lines_of(".answers") };
  }

  #judge(outcome, expected = null) {
    const { text, out, err, failures, answers, code } = outcome;
    // What the page itself says will fail: "# exit code 2", "# answers 422".
    const announced = [...text.matchAll(/# (?:.*, )?exit code (\d+)/g)].map((found) => found[1]);
    const refused = [...text.matchAll(/# (?:.*, )?answers ([45]\d\d)/g)].map((found) => found[1]);
    const codes = failures.map((line) => line.split("\t")[0]);
    const shown = `\n${(out + err).trimEnd().split("\n").slice(-20).join("\n")}`;
    if (code !== 0) return `the shell ended with ${code}${shown}`;
    if (codes.join() !== announced.join()) {
      return `exit codes ${codes.join() || "0"}, not ${announced.join() || "0"}: ${failures.join("; ")}${shown}`;
    }
    const statuses = answers.filter((status) => status >= "400");
    if (statuses.join() !== refused.join()) return `answers ${statuses.join()}, not ${refused.join() || "2xx"}${shown}`;
    const missing = expected === null ? null : missing_line(expected, out + err);
    return missing === null ? null : `does not print "${missing}", but${shown}`;
  }

  async #run_shell(text, next, says = null) {
    const expected = next?.language === "text" ? this.#rewritten(next.text, []) : says;
    return this.#judge(await this.#shell(text), expected);
  }

  /** A job is searched for; a test is checked within a job. */
  async #run_json(block, text, only_cost) {
    const document = JSON.parse(text);
    const path = this.#save(block.file ?? "block.json", text);
    if ("problem" in document) {
      const how = only_cost ? "--dry-run" : "--json | jq -e .sentence";
      return this.#judge(await this.#shell(`macrostep search ${path} ${how}`));
    }
    if (!("kind" in document && "name" in document)) return "is neither a job nor a test of one";
    this.#save("block.json", JSON.stringify({ problem: "double_actuator_crane", tests: [document] }));
    return this.#judge(await this.#shell("macrostep search block.json --dry-run"));
  }

  async #run_sql(text, entry) {
    const database = join(this.#environment.HOME, ".local/share/macrostep/macrostep.db");
    const outcome = await run("sqlite3", ["-readonly", "-bail", "-json", database], {
      cwd: this.#clone,
      env: this.#environment,
      input: text,
    });
    if (outcome.code !== 0 || outcome.err !== "") return `sqlite3: ${outcome.err}`;
    return outcome.out.trim() === "" && !entry.may_be_empty ? "finds no rows" : null;
  }
}
