// cairn for pi: where the agent stops, "cairn hook" says what is not proven, once for each state of the files.
// Written by "cairn init --prove"; it holds no rule of its own. Where cairn is missing, nothing happens.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { spawnSync } from "node:child_process";

// cairn is waited for here: what is sent back has to be there before pi looks whether the agent goes on.
const ask = (event: string, session: string | undefined, cwd: string, continues = false): any => {
  const input = JSON.stringify({ hook_event_name: event, session_id: session, cwd, stop_hook_active: continues });
  const done = spawnSync("@CAIRN@", ["hook", "pi", "--prove=@MODE@"], { cwd, input, encoding: "utf8", timeout: 20_000 });
  try {
    return JSON.parse(done.stdout || "{}");
  } catch {
    return {};
  }
};

export default function (pi: ExtensionAPI) {
  let sentBack = false; // the agent goes on because of this
  const id = (ctx: any) => ctx.sessionManager.getSessionId?.();
  pi.on("session_start", (_event: any, ctx: any) => {
    ask("SessionStart", id(ctx), ctx.cwd);
  });
  pi.on("turn_end", (event: any, ctx: any) => {
    if (event.toolResults?.length || event.message?.stopReason !== "stop") return; // it does not stop here
    const answer = ask("Stop", id(ctx), ctx.cwd, sentBack);
    if ((sentBack = answer.decision === "block")) pi.sendUserMessage(answer.reason, { deliverAs: "followUp" });
    else if (answer.systemMessage) ctx.ui.notify(answer.systemMessage, "warning");
  });
}
