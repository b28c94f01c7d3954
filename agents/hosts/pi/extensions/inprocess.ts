// A subagent as a session within pi's own process, where the settings say so:
// cairn decides what it is told and takes its events, pi runs it.

import type { AgentSessionEvent, CreateAgentSessionOptions, ExtensionContext } from "@earendil-works/pi-coding-agent";

type Asked = { prompt: string; tools: string[]; model?: string; thinking?: string };
type Fed = { events?: unknown[]; done?: boolean; error?: string };

/** What becomes a step; of what is being written only the piece that is new. */
function essential(e: AgentSessionEvent) {
  if (e.type === "message_update") {
    const { type, delta } = e.assistantMessageEvent as { type: string; delta?: string };
    return delta === undefined ? undefined : { type: e.type, assistantMessageEvent: { type, delta } };
  }
  return ["message_end", "turn_end", "tool_execution_start", "tool_execution_end"].includes(e.type) ? { ...e, messages: undefined, toolResults: undefined } : undefined;
}

/** The user's models and keys as the versions of pi ask for them: by the registry before 0.80.8, since then by the runtime
 * within it, which is private: without it pi makes one of the same files, and keys given on its command line are missed. */
function models(ctx: ExtensionContext): object {
  return { modelRegistry: ctx.modelRegistry, modelRuntime: Reflect.get(ctx.modelRegistry, "runtime") };
}

export class Session {
  /** Resolves when all is told. */
  readonly over: Promise<void>;

  constructor(asked: Asked, ctx: ExtensionContext, feed: (fed: Fed) => Promise<unknown>, signal?: AbortSignal) {
    this.over = this.run(asked, ctx, feed, signal).then(
      () => void feed({ done: true }),
      (error) => void feed({ done: true, error: String(error?.message ?? error) }),
    );
  }

  private async run(asked: Asked, ctx: ExtensionContext, feed: (fed: Fed) => Promise<unknown>, signal?: AbortSignal) {
    const pi = await import("@earendil-works/pi-coding-agent");
    const agentDir = pi.getAgentDir();
    const settingsManager = pi.SettingsManager.create(ctx.cwd, agentDir);
    const resourceLoader = new pi.DefaultResourceLoader({ cwd: ctx.cwd, agentDir, settingsManager, noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true });
    await resourceLoader.reload();
    const slash = asked.model?.indexOf("/") ?? -1;
    const model = slash > 0 ? ctx.modelRegistry.find(asked.model!.slice(0, slash), asked.model!.slice(slash + 1)) : ctx.model;
    const { session } = await pi.createAgentSession({
      cwd: ctx.cwd,
      agentDir,
      sessionManager: pi.SessionManager.inMemory(ctx.cwd),
      settingsManager,
      resourceLoader,
      model,
      thinkingLevel: asked.thinking as CreateAgentSessionOptions["thinkingLevel"],
      tools: asked.tools,
      ...models(ctx),
    });
    const abort = () => void session.abort();
    signal?.addEventListener("abort", abort, { once: true });
    const waiting: unknown[] = [];
    let told: Promise<unknown> = Promise.resolve();
    const tell = () => (waiting.length > 0 ? feed({ events: waiting.splice(0) }) : undefined);
    const unsubscribe = session.subscribe((e) => {
      const event = essential(e);
      if (!event) return;
      waiting.push(event);
      told = told.then(tell); // one after the other
    });
    try {
      if (signal?.aborted) throw new Error("aborted");
      await session.prompt(asked.prompt);
      await told;
    } finally {
      signal?.removeEventListener("abort", abort);
      unsubscribe();
      session.dispose();
    }
  }
}
