import { connect } from 'node:net'
import { type ProbeCommands, probePath } from './probe.ts'

type Argument<F> = F extends (argument: infer A) => unknown ? (unknown extends A ? undefined : A) : never

/** Calls the probe in a service's process. Rejects if there is none, or if the call failed. */
export function callProbeOf<K extends keyof ProbeCommands>(
  folder: string,
  pid: number,
  name: K,
  ...[argument]: Argument<ProbeCommands[K]> extends undefined ? [] : [Argument<ProbeCommands[K]>]
): Promise<Awaited<ReturnType<ProbeCommands[K]>>> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(probePath(folder, pid), () =>
      socket.write(`${JSON.stringify({ name, argument })}\n`),
    )
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('error', reject)
    socket.once('end', () => {
      if (text === '') return reject(new Error(`process ${pid} did not answer ${name}`))
      const answer = JSON.parse(text) as { result?: unknown; error?: string }
      if (answer.error !== undefined) reject(new Error(answer.error))
      else resolve(answer.result as Awaited<ReturnType<ProbeCommands[K]>>)
    })
  })
}
