// cairn for pi: runs on the record, old tool outputs replaced by markers that
// can be recalled, and subagents whose steps are kept. All logic is in "cairn rpc"; this translates. Where
// cairn is missing, pi works as if the package were not there, and is told once.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { registerAgent } from "./agent.ts";
import { registerPruning } from "./pruning.ts";
import { Cairn } from "./rpc.ts";

const STARTING_MS = 5000; // a machine that is busy starts programs slowly
const string = (description: string) => ({ type: "string", description });

const RUN = {
  type: "object",
  properties: {
    command: string("Shell line to run"),
    cwd: string("Directory to run it in; default: the session's"),
    parseAs: string("What its output is, where the command does not tell: a tool or a parser id (/sr-parsers)"),
    artifactPaths: { type: "array", items: { type: "string" }, description: "Report files that the command writes; * fits names" },
    timeout: { type: "number", description: "Seconds after which it is ended; default: none" },
  },
  required: ["command"],
} as any;

const RECALL = {
  type: "object",
  properties: {
    op: { type: "string", enum: ["list", "search", "output", "result", "diff", "finding", "test", "blame", "flaky", "stats", "tests", "tests_gone", "tests_new", "tests_slowest", "tests_flaky", "tests_skipped", "outcomes", "last"], description: "What to ask" },
    id: string("Object id, run id or fingerprint, shortened at will; output, result, finding and blame need it"),
    to: string("The other run of a diff"),
    lines: string("Lines of an output: 120:160"),
    grep: string("Regular expression of lines, or text to search for"),
    stream: string("stdout or stderr"),
    status: string("Runs that ended so: failed, passed, ok, error"),
    tool: string("Runs of this tool"),
    file: string("Runs with findings in this file"),
    kind: string("Runs of such tools: test, lint, typecheck, build"),
    rule: string("Runs with a finding of this rule"),
    branch: string("Runs on this branch"),
    commit: string("Runs at this commit"),
    since: string("Runs from this time on: 2h, 3d"),
    until: string("Runs before this time"),
    limit: { type: "integer", description: "At most this many" },
  },
  required: ["op"],
} as any;

const text = (text: string, details: unknown = {}) => ({ content: [{ type: "text" as const, text }], details });

function registerTools(pi: ExtensionAPI, cairn: Cairn) {
  pi.registerTool({
    name: "structured_return",
    label: "Structured return",
    description: "Run a command on the record: a short, exact verdict with one line per finding, and an id by which every byte of the output can be recalled.",
    promptSnippet: "Run tests, linters, type checkers and builds with compact, exact results",
    promptGuidelines: ["Use structured_return instead of bash for tests, linters, type checkers and builds; see the whole output with recall instead of running it again."],
    parameters: RUN,
    async execute(_id, p: any, signal, onUpdate, ctx) {
      const { result, error } = await cairn.ask(
        "run",
        {
          command: p.command,
          cwd: resolve(ctx.cwd, p.cwd ?? ""),
          parse_as: p.parseAs,
          artifacts: p.artifactPaths,
          timeout_ms: p.timeout > 0 ? Math.round(p.timeout * 1000) : undefined,
          session: ctx.sessionManager.getSessionId?.(),
          project: (ctx as any).isProjectTrusted?.() ?? true,
          progress: !!onUpdate,
        },
        { signal, event: (data) => onUpdate?.(text(data.tail, { run: data.run, rawBytes: data.bytes })) },
      );
      if (!result) throw new Error(`cairn did not run it: ${error}. Use bash.`);
      const notes = (result.notes ?? []).map((note: string) => `\nnote: ${note}`).join("");
      return text(result.text.trimEnd() + notes, result.details);
    },
  });
  pi.registerTool({
    name: "recall",
    label: "Recall",
    description: "Ask the record of earlier runs and pruned outputs: exact lines of an output by its id (sha256:…), what failed, what is new. Nothing is run.",
    promptSnippet: "Exact output of earlier runs and pruned results, by id",
    parameters: RECALL,
    async execute(_id, p: any, signal, _onUpdate, ctx) {
      const { result, error } = await cairn.ask("recall", { ...p, cwd: ctx.cwd }, { signal, deadlineMs: 60_000 });
      if (!result) throw new Error(error);
      return text([result.text, ...(result.notes ?? [])].join("\n"));
    },
  });
}

function registerReports(pi: ExtensionAPI, cairn: Cairn) {
  const show = (name: string, op: string, description: string) =>
    pi.registerCommand(name, {
      description,
      handler: async (_args, ctx) => {
        const { result, error } = await cairn.ask("report", { op, cwd: ctx.cwd, ...(op === "stats" ? { session: ctx.sessionManager.getSessionId?.() } : {}) }, { deadlineMs: 30_000 });
        ctx.ui.notify(result?.text ?? error, result ? "info" : "error");
      },
    });
  show("sr-parsers", "parsers", "What parseAs takes, and what the project adds");
  show("sr-stats", "stats", "What was run in this session and in this repository, and what the short form saved");
}

/** The program: as the user says, as "cairn init" has written, or on PATH. */
function program(): string {
  try {
    return process.env.CAIRN_PROGRAM ?? readFileSync(new URL("../program", import.meta.url), "utf8").trim();
  } catch {
    return "cairn";
  }
}

export default async function (pi: ExtensionAPI) {
  const cairn = new Cairn(program());
  const hello = { version: 1, client: "pi", agent: "pi" };
  const there = await cairn.begin(hello, STARTING_MS);
  if (!there) {
    cairn.end();
    const missing = "cairn was not found, or is too old: its tools are not there. Install it, or set CAIRN_PROGRAM.";
    let told = false;
    pi.on("session_start", (_event, ctx) => {
      if (!told) ctx.ui.notify(missing, "warning");
      told = true;
    });
    return;
  }
  registerTools(pi, cairn);
  registerReports(pi, cairn);
  registerPruning(pi, cairn);
  await registerAgent(pi, cairn, STARTING_MS);
  pi.on("session_start", async () => void (await cairn.begin(hello, STARTING_MS)));
  pi.on("session_shutdown", () => cairn.end());
}
