import { ExitCode } from './kernel/errors.ts'
import type { Terminal } from './terminal/command-action.ts'
import type { InterruptionListener } from './terminal/interruption.ts'

/** Waits until unfinished work has ended, or until a second interruption. Returns the exit code. */
export async function cleanUp(
  { unfinishedWork, interruptedAgain }: Pick<InterruptionListener, 'unfinishedWork' | 'interruptedAgain'>,
  done: Promise<number>,
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<number> {
  if (unfinishedWork.length === 0) return ExitCode.interrupted
  const leftover = unfinishedWork.flatMap((one) => one.leftover ?? [])
  if (stderr.isTTY && leftover.length > 0)
    stderr.write('\r\x1b[KCleaning up; press Ctrl-C again to stop at once.\n')
  const ended = Promise.allSettled(unfinishedWork.map(({ work }) => work)).then((works) =>
    works.every(({ status }) => status === 'fulfilled'),
  )
  const isFinished = await Promise.race([ended, interruptedAgain.then(() => null)])
  if (isFinished === null) {
    for (const what of leftover) stderr.write(`Left unfinished: ${what}\n`)
    return ExitCode.interrupted
  }
  const code = await done
  // The command finished before the interruption took effect, and has printed its result.
  return isFinished ? code : ExitCode.interrupted
}
