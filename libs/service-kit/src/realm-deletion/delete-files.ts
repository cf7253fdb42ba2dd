import type { FileStore } from '../export-part/part.ts'
import type { DeletionStep } from './run-deletion.ts'

/** Files of one call of the step: they are listed anew for the next. */
const BATCH = 1_000
/** A store on another host answers each after some milliseconds. */
const AT_ONCE = 10

/** A step that deletes the files whose names begin with one of the prefixes, which end in a slash. */
export function deleteFiles(
  prefixesOf: (realmId: number) => readonly string[],
): DeletionStep<{ readonly blobs: Pick<FileStore, 'list' | 'delete'> }> {
  return async ({ blobs }, realmId) => {
    let count = 0
    let names: string[] = []
    const deleteListed = async (): Promise<void> => {
      await Promise.all(names.map((name) => blobs.delete(name)))
      count += names.length
      names = []
    }
    for (const prefix of prefixesOf(realmId)) {
      for await (const name of blobs.list(prefix)) {
        names.push(name)
        if (names.length === AT_ONCE) await deleteListed()
        if (count >= BATCH) return count
      }
    }
    await deleteListed()
    return count
  }
}
