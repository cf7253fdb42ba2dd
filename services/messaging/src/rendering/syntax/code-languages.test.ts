import { describe, expect, test } from 'vitest'
import { codeLanguage } from './code-languages.ts'

describe('the language of code', () => {
  test.each([
    ['py', 'Python'],
    [' JS ', 'JavaScript'],
    ['{.rust hl_lines="1"}', 'Rust'],
    ['c++', 'C++'],
    ['h', 'C'],
    ['yml', 'YAML'],
    ['zig', 'Zig'],
    ['console', 'Bash Session'],
    ['pytb', 'Python Traceback'],
    ['terraform', 'Terraform'],
    ['cobol', 'COBOL'],
    ['text', 'Text only'],
    ['Brainf', 'Brainf'],
    ['constructor', 'constructor'],
  ])('%j is %s', (info, name) => {
    expect(codeLanguage(info)?.name).toBe(name)
  })

  test.each(['', '  ', '{}'])('%j names none', (info) => {
    expect(codeLanguage(info)).toBeNull()
  })
})
