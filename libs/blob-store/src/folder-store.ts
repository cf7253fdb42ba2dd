import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobStore, checkName } from './blob-store.ts'
import { createIncomingFolder } from './incoming-folder.ts'

/** No blob's name begins with this. */
const INCOMING = '.incoming'

/** Stores blobs as files in a folder that all replicas share. Creates the folder when it is first needed. */
export function createFolderStore(root: string): BlobStore {
  const incoming = createIncomingFolder(join(root, INCOMING))
  const pathOf = (name: string) => join(root, ...checkName(name).split('/'))
  return {
    put: (name, content) =>
      incoming.receive(content, async (path) => {
        const { size } = await stat(path)
        const target = pathOf(name)
        await mkdir(dirname(target), { recursive: true })
        // Atomic: nobody ever sees a part of the blob under its name.
        await rename(path, target)
        return size
      }),
    get: async (name, range) => {
      const file = await open(pathOf(name)).catch(nullIfMissing)
      return file?.createReadStream(range) ?? null
    },
    stat: async (name) => {
      const stats = await stat(pathOf(name)).catch(nullIfMissing)
      return stats?.isFile() ? { size: stats.size } : null
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    list: (prefix) => listBelow(root, prefix === '' ? '' : checkName(prefix.slice(0, -1))),
    sweep: () => incoming.sweep(),
    close: () => {},
  }
}

async function* listBelow(root: string, folder: string): AsyncIterable<string> {
  for (const entry of (await readdir(join(root, folder), { withFileTypes: true }).catch(nullIfMissing)) ??
    []) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name === INCOMING) continue
    if (entry.isDirectory()) yield* listBelow(root, name)
    else yield name
  }
}

function nullIfMissing(err: NodeJS.ErrnoException): null {
  if (err.code === 'ENOENT' || err.code === 'ENOTDIR') return null
  throw err
}
