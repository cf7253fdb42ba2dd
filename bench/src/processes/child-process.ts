import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Served = Record<string, (argument: never) => Promise<unknown>>
type Argument<F> = F extends (argument: infer A) => unknown ? (unknown extends A ? undefined : A) : never
type Result<F> = F extends (...args: never[]) => Promise<infer R> ? R : never

interface Question {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}
type Answer = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string })

/** A child process that runs commands of this benchmark. */
export interface Child<S extends Served> {
  readonly pid: number
  /** Rejects when the work fails, and when the process ends. */
  call<K extends keyof S & string>(
    name: K,
    ...argument: Argument<S[K]> extends undefined ? [] : [Argument<S[K]>]
  ): Promise<Result<S[K]>>
  stop(): void
}

/** Starts a module of this package (`load/main.ts`, without the ending) as a process. */
export function startChild<S extends Served>(module: string, execArgv: string[] = []): Child<S> {
  const child: ChildProcess = fork(fileURLToPath(new URL(`../${module}.js`, import.meta.url)), [], {
    serialization: 'advanced',
    execArgv,
  })
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (err: Error) => void }>()
  let callCount = 0
  child.on('message', (answer: Answer) => {
    const question = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) question?.reject(new Error(answer.error))
    else question?.resolve(answer.result as never)
  })
  child.once('exit', (code, signal) => {
    const err = new Error(`the process ${module} ended (${signal ?? code})`)
    for (const { reject } of waiting.values()) reject(err)
    waiting.clear()
  })
  return {
    pid: child.pid ?? 0,
    call: (name, ...[argument]) =>
      new Promise((resolve, reject) => {
        if (!child.connected) return reject(new Error(`the process ${module} has ended`))
        const id = ++callCount
        waiting.set(id, { resolve, reject })
        child.send({ id, name, argument } satisfies Question)
      }),
    stop: () => {
      child.kill('SIGKILL')
    },
  }
}

/** The child's side: answers calls until the parent disconnects. */
export function serveParent(served: Served): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    let answer: Answer
    try {
      const work = served[name]
      if (!work) throw new Error(`there is no command ${name}`)
      answer = { id, result: await work(argument as never) }
    } catch (err) {
      answer = { id, error: err instanceof Error ? err.message : String(err) }
    }
    process.send?.(answer)
  })
  // Ctrl-C reaches all processes of a terminal; only the parent knows the order in which they end.
  process.on('SIGINT', () => {})
  process.once('disconnect', () => process.exit())
}
