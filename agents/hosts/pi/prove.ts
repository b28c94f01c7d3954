// cairn for pi: where the agent stops, "cairn hook" says what is not proven, once for each state of the files.
// Written by "cairn init --prove"; it holds no rule of its own. Where cairn is missing, nothing happens.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { spawn } from "node:child_process";

const ask = (event: string, session: string | undefined, cwd: string, continues = false): Promise<any> =>
  new Promise((done) => {
    const child = spawn("@CAIRN@", ["hook", "pi", "--prove=@MODE@"], { cwd, stdio: ["pipe", "pipe", "ignore"] });
    let out = "";
    child.on("error", () => done({}));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (text) => (out += text));
    child.on("close", () => {
      try {
        done(JSON.parse(out || "{}"));
      } catch {
        done({});
      }
    });
    child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: session, cwd, stop_hook_active: continues }));
  });

export default function (pi: ExtensionAPI) {
  let sentBack = false; // the agent goes on because of this
  const id = (ctx: any) => ctx.sessionManager.getSessionId?.();
  pi.on("session_start", async (_event: any, ctx: any) => {
    await ask("SessionStart", id(ctx), ctx.cwd);
  });
  pi.on("agent_end", async (_event: any, ctx: any) => {
    const answer = await ask("Stop", id(ctx), ctx.cwd, sentBack);
    if ((sentBack = answer.decision === "block")) pi.sendUserMessage(answer.reason, { deliverAs: "followUp" });
    else if (answer.systemMessage) ctx.ui.notify(answer.systemMessage, "warning");
  });
}
