import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { benchFlags, parseOptions, replicatedSectionNames, sectionNames } from './options.ts'

describe('the options of npm run bench', () => {
  test('runs every part in the usual order when none is named', () => {
    expect(parseOptions([]).sections).toEqual(sectionNames)
    expect(parseOptions(['--only', 'latency,send', '--only=parts']).sections).toEqual([
      'parts',
      'send',
      'latency',
    ])
  })

  test('rejects an unknown part with the list of parts', () => {
    expect(() => parseOptions(['--only', 'sned'])).toThrow(/--only sned: one or several of parts, send/)
  })

  test('writes only a complete run into the documents', () => {
    expect(() => parseOptions(['--write-docs', '--only', 'send'])).toThrow('needs a whole run')
    expect(parseOptions(['--write-docs'])).toMatchObject({ writesDocs: true, isQuick: false })
  })

  test('runs parts with several replicas only when they are named, and separately', () => {
    expect(parseOptions(['--only', 'scale,handover', '--write-docs']).sections).toEqual(['handover', 'scale'])
    expect(() => parseOptions(['--only', 'scale', '--write-docs'])).toThrow('--only handover,scale')
    expect(() => parseOptions(['--only', 'send,scale'])).toThrow('scale cannot run together with other parts')
  })

  test('names every flag and part in the help, which is printed before anything is built', () => {
    const tool = readFileSync(new URL('../../../tools/bench.ts', import.meta.url), 'utf8')

    for (const flag of Object.keys(benchFlags)) expect(tool).toContain(`  --${flag}`)
    for (const name of [...sectionNames, ...replicatedSectionNames])
      expect(tool).toMatch(new RegExp(`^ +${name} {2,}`, 'm'))
  })
})
