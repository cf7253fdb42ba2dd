import { parseArgs } from 'node:util'
import { messageWithoutPassword } from '../addresses/database-url.ts'
import { goOnAfterRestore } from './after-restore.ts'
import { findOwnDatabase } from './own-database.ts'

const helpOf = (service: string) => `node dist/after-restore.js [--keep-unpublished]

Run once in the image of ${service}, after its database (DATABASE_URL) was restored from a backup and before anything is started:
its events begin a new stream, since sequence numbers after the backup have been used, and IDs continue above all assigned ones.

  --keep-unpublished  publish the events that were unpublished when the backup was made: only if RabbitMQ was unavailable
                      then, otherwise they were published a moment later
  --help              this text

What comes before and after: docs/operating.md, "Restoring a database from a backup".`

/** The command `after-restore` of a service; returns the exit code. Prints to standard output what was done. */
export async function runAfterRestore(
  service: string,
  options: { argv: readonly string[]; env: NodeJS.ProcessEnv },
): Promise<number> {
  let url = options.env['DATABASE_URL'] ?? ''
  try {
    const { values } = parseArgs({
      args: [...options.argv],
      options: { 'keep-unpublished': { type: 'boolean' }, help: { type: 'boolean' } },
    })
    if (values.help) {
      console.log(helpOf(service))
      return 0
    }
    const keepsUnpublished = values['keep-unpublished'] ?? false
    const own = await findOwnDatabase(options.env)
    url = own.url
    const { unpublished, sequences } = await goOnAfterRestore(own, keepsUnpublished)
    console.log(
      `${service}: a new stream of events, ${unpublished} unpublished ones ${keepsUnpublished ? 'kept' : 'dropped'}, ${sequences} sequences moved on`,
    )
    return 0
  } catch (err) {
    console.error(messageWithoutPassword(err, url))
    return isUsageError(err) ? 2 : 1
  }
}

const isUsageError = (err: unknown): boolean =>
  err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_PARSE_ARGS')
