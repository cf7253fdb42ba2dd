import type { AlertWords, Directory } from '../directory/directory.ts'
import { compileAlertWords, type FindAlerted } from './alert-words.rules.ts'

/** Prepared once for as long as the directory gives the same list. */
const compiled = new WeakMap<readonly AlertWords[], FindAlerted>()

/** Whose alert words a text holds, whether they get it or not. */
export async function findAlerted(
  directory: Pick<Directory, 'listAlertWords'>,
  realmId: number,
  content: string,
): Promise<number[]> {
  const watching = await directory.listAlertWords(realmId)
  let find = compiled.get(watching)
  if (!find) {
    find = compileAlertWords(watching)
    compiled.set(watching, find)
  }
  return find(content)
}
