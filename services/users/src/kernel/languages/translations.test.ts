import { userSettings } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { english, type Text, type TextKey } from './english.ts'
import { translations } from './translations.ts'

const formsOf = (text: Text) => (typeof text === 'string' ? { other: text } : text)
const placeholdersOf = (form: string) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()
const keys = Object.keys(english) as TextKey[]

describe.each(Object.entries(translations))('the catalogue of %s', (language, texts) => {
  test('is of a language that users can choose', () => {
    expect(userSettings.default_language.allowed).toContain(language)
  })

  test('has every text', () => {
    expect(keys.filter((key) => texts[key] === undefined)).toEqual([])
  })

  test('has the placeholders and forms that each text needs', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    const wrong = keys.filter((key) => {
      const original: Text = english[key]
      const text = texts[key] ?? ''
      const expected = placeholdersOf(formsOf(original).other)
      const forms = Object.values(formsOf(text)).map(placeholdersOf)
      if (forms.some((names) => names.join() !== expected.join())) return true
      if (typeof original === 'string' || typeof text === 'string') return typeof original !== typeof text
      return Object.keys(text).toSorted().join() !== categories.join()
    })
    expect(wrong).toEqual([])
  })
})
