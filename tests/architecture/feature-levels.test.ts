import { featureLevels, featureLevelsDocument, serverVersion } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { listFiles, read } from './support/repository.ts'

describe('feature levels', () => {
  test('are declared one after another', () => {
    const levels = featureLevels.map(({ level }) => level)

    expect(levels).toEqual(levels.map((_, index) => (levels[0] ?? 0) + index))
    expect(levels.at(-1)).toBe(serverVersion.featureLevel)
  })

  test('name a test if they are built or refused, and a reason if they are not needed', () => {
    const faulty = featureLevels.filter(
      ({ state, test: shown, note }) =>
        (state === 'built' || state === 'refused') !== (shown !== undefined) ||
        (state === 'not needed' && !note),
    )

    expect(faulty).toEqual([])
  })

  test('are refused by a decision that names the level', () => {
    const faulty = featureLevels.filter(
      ({ level, state, decision }) =>
        (state === 'refused') !== (decision !== undefined) ||
        (decision !== undefined && !read(decision).includes(`level ${level}`)),
    )

    expect(faulty).toEqual([])
  })

  test('name tests that exist', () => {
    const files = new Set([...listFiles('tests'), ...listFiles('services'), ...listFiles('libs')])
    const missing = featureLevels.flatMap(({ level, test: shown }) => {
      if (!shown) return []
      const [path, name] = shown
      if (!files.has(path)) return [`${level}: there is no ${path}`]
      return read(path).includes(`'${name}'`) ? [] : [`${level}: no "${name}" in ${path}`]
    })

    expect(missing).toEqual([])
  })

  test('are described in docs/feature-levels.md', () => {
    const isUpToDate = read('docs/feature-levels.md') === featureLevelsDocument()

    expect(isUpToDate ? '' : 'out of date; run: npm run build && node tools/api-documents.ts').toBe('')
  })
})
