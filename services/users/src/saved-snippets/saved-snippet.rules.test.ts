import { limits } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkContent, checkFits, checkTitle } from './saved-snippet.rules.ts'

const { maxMessageLength, maxSavedSnippetCharacters, maxSavedSnippetTitleLength, maxSavedSnippets } = limits

describe('checkTitle', () => {
  test('trims, and counts characters beyond the basic plane once', () => {
    const longest = '🦉'.repeat(maxSavedSnippetTitleLength)

    expect(checkTitle(`  ${longest}\n`)).toBe(longest)
    expect(() => checkTitle(`${longest}x`)).toThrow('at most 60 characters')
    expect(() => checkTitle(' \t')).toThrow('cannot be blank')
  })
})

describe('checkContent', () => {
  test('keeps the space around it', () => {
    expect(checkContent(' a\n')).toBe(' a\n')
    expect(() => checkContent(' \n')).toThrow('cannot be blank')
    expect(() => checkContent('x'.repeat(maxMessageLength + 1))).toThrow('at most 10000 characters')
  })
})

describe('checkFits', () => {
  test('allows what is exactly at the limits', () => {
    const most = { count: maxSavedSnippets, characters: maxSavedSnippetCharacters }

    expect(() => checkFits(most)).not.toThrow()
    expect(() => checkFits({ ...most, count: maxSavedSnippets + 1 })).toThrow('at most 1000 saved snippets')
    expect(() => checkFits({ ...most, characters: maxSavedSnippetCharacters + 1 })).toThrow('1000001')
  })
})
