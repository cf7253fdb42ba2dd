import { describe, expect, test } from 'vitest'
import { similarNames } from './similar-names.ts'

const names = ['alertmanager', 'gitea', 'github', 'gitlab', 'slack', 'slack_incoming']

describe('names that somebody may have meant', () => {
  test.each([
    ['alertmananger', ['alertmanager']],
    ['Alert-Manager', ['alertmanager']],
    ['gitlb', ['gitlab', 'github']],
    ['git', ['gitea', 'github', 'gitlab']],
    ['slackincoming', ['slack', 'slack_incoming']],
    ['zabbix', []],
    ['', []],
    ['x'.repeat(100_000), []],
  ])('%.20s: %s', (given, suggested) => {
    expect(similarNames(given, names)).toEqual(suggested)
  })
})
