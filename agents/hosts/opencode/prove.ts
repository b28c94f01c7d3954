// cairn for OpenCode: where the agent stops, "cairn hook" says what is not proven, once for each state of the
// files. Written by "cairn init --prove"; it holds no rule of its own. Where cairn is missing, nothing happens.
import { spawn } from "node:child_process"

const ask = (event: string, session: string, cwd: string, continues = false): Promise<any> =>
  new Promise((done) => {
    const child = spawn("@CAIRN@", ["hook", "opencode", "--prove=@MODE@"], { cwd, stdio: ["pipe", "pipe", "ignore"] })
    let out = ""
    child.on("error", () => done({}))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (text) => (out += text))
    child.on("close", () => {
      try {
        done(JSON.parse(out || "{}"))
      } catch {
        done({})
      }
    })
    child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: session, cwd, stop_hook_active: continues }))
  })

const sentBack = new Set<string>() // sessions that go on because of this

export const CairnProve = async ({ client, directory }: any) => ({
  event: async ({ event }: any) => {
    if (event.type === "session.created" && !event.properties.info.parentID)
      await ask("SessionStart", event.properties.info.id, directory)
    if (event.type !== "session.idle") return
    const id = event.properties.sessionID
    const answer = await ask("Stop", id, directory, sentBack.delete(id))
    if (answer.decision === "block") {
      sentBack.add(id)
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: answer.reason }] } })
    } else if (answer.systemMessage)
      await client.tui.showToast({ body: { message: answer.systemMessage, variant: "warning", duration: 20000 } }).catch(() => {})
  },
})
