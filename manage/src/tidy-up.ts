import { ExitCode } from './failures.ts'
import type { Listening } from './interruption.ts'
import type { Terminal } from './tools.ts'

/** Waits for what must not be left in the middle, until it is interrupted once more. Returns the exit code. */
export async function tidyUp(
  { outlasting, again }: Pick<Listening, 'outlasting' | 'again'>,
  done: Promise<number>,
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<number> {
  if (outlasting.length === 0) return ExitCode.interrupted
  const left = outlasting.flatMap((one) => one.left ?? [])
  if (stderr.isTTY && left.length > 0)
    stderr.write('\r\x1b[KTidying up; Ctrl-C once more leaves it as it is.\n')
  const ended = Promise.allSettled(outlasting.map(({ work }) => work)).then((works) =>
    works.every(({ status }) => status === 'fulfilled'),
  )
  const isWhole = await Promise.race([ended, again.then(() => null)])
  if (isWhole === null) {
    for (const what of left) stderr.write(`Left in the middle: ${what}\n`)
    return ExitCode.interrupted
  }
  const code = await done
  // It was at its end already, and has said what came of it.
  return isWhole ? code : ExitCode.interrupted
}
