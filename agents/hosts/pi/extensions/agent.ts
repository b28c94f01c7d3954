// Subagents: what the tool Agent is asked for goes to "cairn rpc", and what it
// tells goes to pi's event bus. Models are resolved here, since only pi has them.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Session } from "./inprocess.ts";
import type { Cairn } from "./rpc.ts";

const BUNDLED = join(dirname(dirname(fileURLToPath(import.meta.url))), "agents");
const string = (description: string) => ({ type: "string", description });

const PARAMETERS = {
  type: "object",
  properties: {
    subagent_type: string("Name of an agent definition, such as Explore, or any label"),
    description: string("The task in 5 to 10 words"),
    prompt: string("The whole task; the subagent answers once, and cannot ask back"),
    model: string("provider/id, provider/id:thinking, a bare id or @role; default: the definition's, else yours"),
  },
  required: ["subagent_type", "description", "prompt"],
};
const ISOLATED = { type: "boolean", description: "true: it is told nothing of this conversation; false: it is" };

/** What the handlers of model:resolve make of a reference. */
function probe(pi: ExtensionAPI, ref: string | undefined) {
  if (!ref) return {};
  const asked: any = { ref };
  try {
    pi.events?.emit("model:resolve", asked);
  } catch (error) {
    return { error: String(error) };
  }
  const model = asked.model && `${asked.model.provider}/${asked.model.id}`;
  return { model, thinking: asked.thinkingLevel, error: asked.error, roles: asked.available?.roles, available: asked.available?.models };
}

/** The parent's conversation as cairn reads it. */
function conversation(ctx: any) {
  const argument = (a: any) => String(a?.path ?? a?.command ?? a?.pattern ?? a?.query ?? "");
  return ctx.sessionManager
    .getBranch()
    .filter((e: any) => e.type === "message")
    .map(({ message: m }: any) => {
      const blocks = typeof m.content === "string" ? [{ type: "text", text: m.content }] : (m.content ?? []);
      const text = blocks.flatMap((b: any) => (b.type === "text" ? [b.text] : [])).join("\n");
      if (m.role === "toolResult") return { role: m.role, text, tool: m.toolName, error: m.isError === true };
      const calls = blocks.filter((b: any) => b.type === "toolCall").map((b: any) => ({ tool: b.name, arg: argument(b.arguments) }));
      return { role: m.role, text, calls };
    });
}

/** All that run needs to know and only pi can tell. */
function start(pi: ExtensionAPI, ctx: any, plan: any) {
  const known = (ctx.modelRegistry.getAvailable?.() ?? ctx.modelRegistry.getAll()).map((m: any) => `${m.provider}/${m.id}`);
  return {
    probe: probe(pi, plan.ref),
    known: plan.ref ? known : [],
    model: ctx.model && `${ctx.model.provider}/${ctx.model.id}`,
    thinking: ctx.thinkingLevel ?? pi.getThinkingLevel(),
    tools: pi.getActiveTools(),
    messages: plan.inherit ? conversation(ctx) : [],
  };
}

export async function registerAgent(pi: ExtensionAPI, cairn: Cairn, deadlineMs: number) {
  const { result: settings } = await cairn.ask("agent", { op: "settings" }, { deadlineMs });
  const properties = { ...PARAMETERS.properties, ...(settings?.expose ? { isolated: ISOLATED } : {}) };
  pi.registerTool({
    name: "Agent",
    label: "Agent",
    description: "Have a subagent do a task in a context of its own, and get its answer. Its steps are kept; their outputs can be recalled by id.",
    promptSnippet: "A subagent for a task whose details need not fill this conversation",
    promptGuidelines: ["Use Agent for searches and investigations of many steps; give the whole task in its prompt. Several calls in one answer run beside each other."],
    parameters: { ...PARAMETERS, properties } as any,
    async execute(toolCall, request, signal, onUpdate, ctx) {
      let session: Session | undefined;
      const event = (data: any, name: string) => {
        if (name === "emit") pi.events?.emit(data.channel, data.data);
        if (name === "update") onUpdate?.({ content: [{ type: "text", text: data.text }], details: data.details });
        if (name === "session") session = new Session(data, ctx, (fed) => cairn.ask("agent", { op: "feed", id: plan.id, ...fed }), signal);
      };
      const { result: plan, error: refused } = await cairn.ask(
        "agent",
        {
          op: "plan",
          request,
          tool_call: toolCall,
          cwd: ctx.cwd,
          session: ctx.sessionManager.getSessionId?.(),
          trusted: (ctx as any).isProjectTrusted?.() ?? true,
          bundled: BUNDLED,
          pi: { exec: process.execPath, script: process.argv[1], args: process.argv.slice(2) },
        },
        { signal, event },
      );
      if (!plan) throw new Error(refused);
      const { result, error } = await cairn.ask("agent", { op: "run", id: plan.id, start: start(pi, ctx, plan) }, { signal, event });
      await session?.over;
      if (!result) throw new Error(error);
      const text = [result.text, ...(plan.notes ?? []), ...(result.notes ?? [])].join("\n");
      if (result.failed) throw new Error(text);
      return { content: [{ type: "text", text }], details: result.details };
    },
  });
}
