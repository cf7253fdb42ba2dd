import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from './support/repository.ts'
import { TreeCopy } from './support/tree-copy.ts'

const TSC = 'node_modules/typescript/bin/tsc'

/** The files that a section of CONTRIBUTING.md shows, in order: each block names its file in its first line. */
function filesShown(section: string): { path: string; text: string }[] {
  const [, text = ''] = read('CONTRIBUTING.md').split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/^ *```ts\n *\/\/ (\S+)\n([^]*?)^ *```$/gm)].map(([, path = '', code = '']) => ({
    path,
    text: code.replaceAll(/^ {3}/gm, ''),
  }))
}

/**
 * What `npm run build` and the commands after it do, but for bundles, and for types of other packages. The file takes about
 * 25 s of processor time, half of it the compiler's.
 */
const lists = (tree: TreeCopy, ...args: string[]) => tree.run('tools/barrels.ts', ...args)
const compile = (tree: TreeCopy) => [
  tree.run(TSC, '-b', 'libs/contracts'),
  tree.run(TSC, '-p', 'services/realm', '--noEmit'),
]
const documents = (tree: TreeCopy, ...args: string[]) => tree.run('tools/api-documents.ts', ...args)
const readmes = (tree: TreeCopy, ...args: string[]) => tree.run('tools/readmes.ts', ...args)

const succeeds = { isOk: true }
const fails = (message: string) => ({ isOk: false, output: expect.stringContaining(message) })

describe('an endpoint that is added by the steps of CONTRIBUTING.md', { timeout: 300_000 }, () => {
  let tree: TreeCopy
  const [declaration, useCase, ...others] = filesShown('Adding an endpoint')
  beforeAll(() => {
    tree = new TreeCopy()
  })
  afterAll(() => tree.remove())

  test('is declared, and needs a use case, whose name the tools tell', () => {
    if (!declaration) throw new Error('no declaration is shown')
    tree.write(declaration.path, declaration.text)
    expect(lists(tree)).toEqual(
      fails(
        'endpoints.realm.getServerTime has no handler: export handleGetServerTime from services/realm/src/',
      ),
    )
  })

  test('has a use case, and needs the lists, which the tools write', () => {
    if (!useCase) throw new Error('no use case is shown')
    expect(others).toEqual([])
    tree.write(useCase.path, useCase.text)
    const outdated = fails('Out of date, run `npm run gen`: services/realm/src/handlers.ts')
    expect(lists(tree, '--check')).toEqual(outdated)
    expect(lists(tree)).toMatchObject(succeeds)
  })

  test('compiles, and needs the documents, which the tools write', () => {
    expect(compile(tree)).toEqual(Array(2).fill({ isOk: true, output: '' }))
    expect(documents(tree, '--check')).toEqual(
      fails('docs/openapi.json is out of date: run node tools/api-documents.ts'),
    )
    expect(readmes(tree, '--check')).toEqual(
      fails('services/realm/README.md is out of date: run node tools/readmes.ts'),
    )
    expect(documents(tree)).toMatchObject(succeeds)
    expect(readmes(tree)).toMatchObject(succeeds)
    expect(documents(tree, '--check')).toMatchObject(succeeds)
    expect(readmes(tree, '--check')).toMatchObject(succeeds)
  })
})
