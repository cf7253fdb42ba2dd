import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { collectMemory } from './memory.ts'
import { startProfile } from './profile.ts'
import { type Mark, startTrace } from './trace.ts'

/** The calls that a probe answers. */
export function createProbeCommands() {
  let stopTrace: (() => Mark[]) | null = null
  let stopProfile: ((path: string) => Promise<void>) | null = null
  return {
    memory: () => collectMemory(),
    startTrace: async (): Promise<void> => {
      stopTrace ??= await startTrace()
    },
    stopTrace: async (): Promise<Mark[]> => {
      const marks = stopTrace?.() ?? []
      stopTrace = null
      return marks
    },
    startProfile: async (): Promise<void> => {
      stopProfile ??= await startProfile()
    },
    stopProfile: async (path: string): Promise<void> => {
      await stopProfile?.(path)
      stopProfile = null
    },
  }
}
export type ProbeCommands = ReturnType<typeof createProbeCommands>

export const probePath = (folder: string, pid: number): string => join(folder, `${pid}.sock`)

/** Listens on a socket in this folder. Keeps the process neither alive nor busy. */
export function startProbe(folder: string): void {
  const commands = createProbeCommands() as Record<string, (argument: never) => Promise<unknown>>
  const serve = (socket: Socket) => {
    socket.unref()
    socket.on('error', () => {})
    createInterface(socket).on('line', async (line) => {
      const { name, argument } = JSON.parse(line) as { name: string; argument?: unknown }
      try {
        const result = await commands[name]?.(argument as never)
        socket.end(`${JSON.stringify({ result: result ?? null })}\n`)
      } catch (err) {
        socket.end(`${JSON.stringify({ error: err instanceof Error ? err.message : String(err) })}\n`)
      }
    })
  }
  const server = createServer(serve)
  server.on('error', () => {})
  server.listen(probePath(folder, process.pid)).unref()
}
