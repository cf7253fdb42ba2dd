import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from './support/repository.ts'
import { TreeCopy } from './support/tree-copy.ts'

const TSC = 'node_modules/typescript/bin/tsc'
const VITEST = 'node_modules/vitest/vitest.mjs'

const textOf = (section: string): string => {
  const [, text = ''] = read('CONTRIBUTING.md').split(`\n## ${section}\n`)
  return text.split('\n## ')[0] ?? ''
}

/** The files that a section of CONTRIBUTING.md shows, in order: each block names its file in its first line. */
const filesShown = (section: string): { path: string; text: string }[] =>
  [...textOf(section).matchAll(/^ *```ts\n *\/\/ (\S+)\n([^]*?)^ *```$/gm)].map(
    ([, path = '', code = '']) => ({
      path,
      text: code.replaceAll(/^ {3}/gm, ''),
    }),
  )

const stepsIn = (section: string): number => [...textOf(section).matchAll(/^\d\. /gm)].length

// What `npm run build` and the commands after it do, as far as they read what is added.
const lists = (tree: TreeCopy, ...args: string[]) => tree.run('tools/barrels.ts', ...args)
const documents = (tree: TreeCopy, ...args: string[]) => tree.run('tools/api-documents.ts', ...args)
const readmes = (tree: TreeCopy, ...args: string[]) => tree.run('tools/readmes.ts', ...args)

const compileContracts = (tree: TreeCopy) => tree.run(TSC, '-b', 'libs/contracts', '--noCheck')

/** Checks the types of some files, and of what they import: nothing else can have changed. */
function checkTypes(tree: TreeCopy, files: readonly string[]) {
  const compilerOptions = { noEmit: true, composite: false, declaration: false, declarationMap: false }
  tree.write('shown.json', JSON.stringify({ extends: './tsconfig.base.json', compilerOptions, files }))
  return tree.run(TSC, '-p', 'shown.json')
}

const architectureTests = (tree: TreeCopy) =>
  tree.run(VITEST, 'run', '--project', 'architecture', 'architecture/samples', 'architecture/events')

const succeeds = { isOk: true }
const fails = (message: string) => ({ isOk: false, output: expect.stringContaining(message) })

test('CONTRIBUTING.md adds an endpoint by five edits, and an event by six', () => {
  expect(stepsIn('Adding an endpoint')).toBe(5)
  expect(stepsIn('Adding an event')).toBe(6)
})

/** One copy for both, compiled once: the event is published by the endpoint. */
describe('what is added by the steps of CONTRIBUTING.md', { timeout: 300_000 }, () => {
  let tree: TreeCopy
  const [declaration, useCase, sample, ...others] = filesShown('Adding an endpoint')
  const filesOfEvent = filesShown('Adding an event')
  beforeAll(() => {
    tree = new TreeCopy()
  })
  afterAll(() => tree.remove())

  test('is an endpoint that is declared, and needs a use case, whose name the tools tell', () => {
    if (!declaration) throw new Error('no declaration is shown')
    tree.write(declaration.path, declaration.text)
    expect(lists(tree)).toEqual(
      fails('endpoints.realm.ringBell has no handler: export handleRingBell from services/realm/src/'),
    )
  })

  test('has a use case and an event, and needs the lists, which the tools write', () => {
    if (!useCase) throw new Error('no use case is shown')
    tree.write(useCase.path, useCase.text)
    expect(filesOfEvent).toHaveLength(4)
    for (const { path, text } of filesOfEvent) tree.write(path, text)
    const outdated = lists(tree, '--check')
    expect(outdated).toEqual(fails('Out of date, run `npm run gen`: '))
    for (const list of ['realm/src/handlers.ts', 'client-events/all.ts', 'rendering/all-presentations.ts'])
      expect(outdated.output).toContain(list)
    expect(lists(tree)).toMatchObject(succeeds)
  })

  test('needs a sample, whose fields the tests tell, and compiles', () => {
    expect(compileContracts(tree)).toEqual({ isOk: true, output: '' })
    expect(architectureTests(tree)).toEqual(
      fails("POST /bell requires input: add 'valid', input that succeeds, to the record of ringBell"),
    )
    if (!sample) throw new Error('no sample is shown')
    expect(others).toEqual([])
    tree.write(sample.path, sample.text)
    expect(lists(tree)).toMatchObject(succeeds)
    const files = [declaration, sample, ...filesOfEvent].flatMap((file) => file?.path ?? [])
    expect(checkTypes(tree, files)).toEqual({ isOk: true, output: '' })
    expect(architectureTests(tree)).toMatchObject(succeeds)
  })

  test('needs the documents, which the tools write', () => {
    expect(documents(tree, '--check')).toEqual(
      fails('docs/openapi.json is out of date: run node tools/api-documents.ts'),
    )
    expect(readmes(tree, '--check')).toEqual(
      fails('services/realm/README.md is out of date: run node tools/readmes.ts'),
    )
    expect(documents(tree)).toMatchObject(succeeds)
    expect(readmes(tree)).toMatchObject(succeeds)
    expect(tree.read('docs/openapi.json')).toContain('"/bell"')
    expect(tree.read('docs/asyncapi.json')).toContain('"BellEvent"')
    expect(tree.read('services/realm/README.md')).toMatch(/`POST \/bell`[^]*`realm\.bell_rung\.v1`/)
  })
})
