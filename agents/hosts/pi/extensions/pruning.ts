// Pruning: pi's messages as "cairn rpc" reads them, and its edits applied. What
// was pruned is remembered in entries of the session, so that a resumed session
// sends the same bytes. Since pi 0.87 the edits themselves are entries, written when
// an answer is complete: then nothing is left to do for a request.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Cairn } from "./rpc.ts";

const DEADLINE_MS = 2000;
const ENTRY = "cairn-pruned";

type Pruned = { id: string; oid: string; tokens: number; text: string };
type Decision = { edits: { index: number; id: string; text: string }[]; new: Pruned[]; scanned: number; saved: number; kept: number; why?: string };

/** The names that pi-context-pruning gives its constants, for settings that are written so. */
const NAMES: Record<string, string> = {
  PRUNE_MINIMUM: "minimum",
  PRUNE_PROTECT: "protect",
  PROTECTED_TURNS: "turns",
  PROTECTED_TOOLS: "protected",
  PRUNABLE_TOOLS: "prunable",
};

/** The settings key "contextPruning": the project's over the user's. */
function settings(ctx: any): Record<string, unknown> {
  const home = process.env.PI_CODING_AGENT_DIR ?? join(homedir(), ".pi", "agent");
  const files = [join(home, "settings.json")];
  if (ctx.isProjectTrusted?.() ?? true) files.push(join(ctx.cwd, ".pi", "settings.json"));
  const read = (file: string) => {
    try {
      const said = JSON.parse(readFileSync(file, "utf8")).contextPruning ?? {};
      return Object.fromEntries(Object.entries(said).map(([name, value]) => [NAMES[name] ?? name, value]));
    } catch {
      return {};
    }
  };
  return Object.assign({ enabled: true }, ...files.map(read));
}

/** A conversation as cairn reads it. */
function flatten(messages: any[]) {
  const calls = new Map<string, Record<string, string>>();
  for (const block of messages.flatMap((m) => (m.role === "assistant" && Array.isArray(m.content) ? m.content : []))) {
    if (block.type !== "toolCall") continue;
    const plain = Object.entries(block.arguments ?? {}).filter(([, v]) => typeof v === "string" || typeof v === "number");
    calls.set(block.id, Object.fromEntries(plain.map(([k, v]) => [k, String(v)])));
  }
  return messages.map((m) => {
    if (m.role !== "toolResult") return { id: "", role: m.role };
    const fixed = m.content.some((c: any) => c.type !== "text");
    return { id: m.toolCallId, role: m.role, tool: m.toolName, args: calls.get(m.toolCallId) ?? {}, error: m.isError === true, fixed, text: textOf(m) };
  });
}

const textOf = (m: any) => m.content.map((c: any) => c.text ?? "").join("\n");
const marker = (text: string) => [{ type: "text" as const, text }];

function statusLine(d: Decision): string {
  const k = (n: number) => `${(n / 1000).toFixed(1)}K`;
  return `🔪 ${k(d.scanned)} tool tokens scanned | pruned ~${k(d.saved)} | ${d.kept} protected`;
}

export function registerPruning(pi: ExtensionAPI, cairn: Cairn) {
  let pruned: Pruned[] = [];
  let enabled = true;
  let config: Record<string, unknown> = {};
  let now = false;
  let told = false; // that it failed
  let edited = false; // the session itself holds markers: pi sends them whatever is decided
  let last: Decision | undefined;

  const load = (_event: unknown, ctx: any) => {
    ({ enabled, ...config } = settings(ctx) as any);
    last = undefined;
    told = false;
    const branch = ctx.sessionManager.getBranch();
    edited = branch.some((e: any) => e.type === "context_edit");
    pruned = branch
      .filter((e: any) => e.type === "custom" && e.customType === ENTRY)
      .flatMap((e: any) => e.data?.pruned ?? []);
  };
  pi.on("session_start", load);
  pi.on("session_tree" as any, load as any);

  /** What to replace; undefined for nothing. */
  async function decide(messages: any[], ctx: any): Promise<Decision | undefined> {
    if (!enabled && !now) return undefined;
    const session = ctx.sessionManager.getSessionId?.();
    const params = { messages, config, pruned, now, session, cwd: ctx.cwd };
    const { result, error } = (await cairn.ask("prune", params, { deadlineMs: DEADLINE_MS })) as { result?: Decision; error?: string };
    if (!result) {
      if (!told) ctx.ui.notify(`The request is sent whole: cairn did not prune it: ${error}`, "warning");
      told = true;
      return undefined;
    }
    now = false;
    last = result;
    pruned = [...pruned, ...result.new];
    ctx.ui.setStatus("cairn-pruning", statusLine(result));
    return result;
  }

  pi.on("context", async (event, ctx) => {
    const decision = await decide(flatten(event.messages), ctx);
    if (decision && decision.new.length > 0) pi.appendEntry(ENTRY, { pruned: decision.new });
    const edits = decision?.edits.filter((e) => textOf(event.messages[e.index]) !== e.text) ?? [];
    if (edits.length === 0) return undefined;
    const messages = [...event.messages];
    for (const e of edits) messages[e.index] = { ...messages[e.index], content: marker(e.text) } as any;
    return { messages };
  });

  pi.on("agent_before_settle" as any, async (event: any, ctx: any) => {
    const said = event.context.contextEntries.flatMap((e: any) => e.messages.map((message: any) => ({ id: e.sourceEntry.id, message })));
    // The next request begins with what a user says: what would be decided then is decided now.
    const decision = await decide([...flatten(said.map((s: any) => s.message)), { id: "", role: "user" }], ctx);
    const edits = decision?.edits.filter((e) => textOf(said[e.index].message) !== e.text) ?? [];
    if (!decision || edits.length === 0) return undefined;
    const drafts: unknown[] = edits.map((e) => ({ type: "context_edit", targetId: said[e.index].id, replacement: { content: marker(e.text) } }));
    if (decision.new.length > 0) drafts.push({ type: "custom", customType: ENTRY, data: { pruned: decision.new } });
    edited = true;
    return { entries: [...event.entries, ...drafts] };
  });

  const command = (name: string, description: string, handler: (ctx: any) => string) =>
    pi.registerCommand(name, { description, handler: async (_args, ctx) => ctx.ui.notify(handler(ctx), "info") });
  command("prune", "Prune at the next request, however little it is; it stays pruned", () => {
    now = true;
    return "Pruning at the next request.";
  });
  command("prune-toggle", "Pruning on or off, for this session", (ctx) => {
    enabled = !enabled;
    if (!enabled) ctx.ui.setStatus("cairn-pruning", undefined);
    const stays = "What was pruned so far stays pruned: this pi keeps it so in the session. The tool recall brings each output back by the id in its marker.";
    return `Pruning is ${enabled ? "on." : `off. ${edited ? stays : "The next request is sent whole."}`}`;
  });
  command("prune-stats", "What was pruned in this session", () => {
    const tokens = pruned.reduce((sum, p) => sum + p.tokens, 0);
    return [`Pruned: ${pruned.length} outputs, ~${tokens} tokens, each counted once.`, last ? statusLine(last) : "No request yet.", last?.why ?? ""].join("\n").trim();
  });
  command("prune-config", "The settings of pruning", () => {
    const defaults = { mode: "pi", turns: 2, protect: 40000, minimum: 20000, prunable: ["read", "bash", "grep", "find", "ls", "edit", "write"], protected: [] };
    return JSON.stringify({ enabled, ...defaults, ...config }, undefined, 2);
  });
}
