import { describe, expect, test } from 'vitest'
import { findMethodField, formEncodingOf, queryOfForm } from './method-field.rules.ts'

const plain = { boundary: null }
const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const valueIn = (text: string, encoding: { boundary: string | null }, isWhole = true) =>
  findMethodField(Buffer.from(text), encoding, isWhole).value

describe('the encoding of a form', () => {
  test.each([
    ['application/x-www-form-urlencoded; charset=UTF-8', { boundary: null }],
    ['multipart/form-data; boundary=b', { boundary: 'b' }],
    ['Multipart/Form-Data; boundary="a b"', { boundary: 'a b' }],
    ['multipart/form-data', null],
    ['application/json', null],
    ['text/plain', null],
    [undefined, null],
  ])('of %s is %j', (contentType, encoding) => {
    expect(formEncodingOf(contentType)).toEqual(encoding)
  })
})

describe('the field method of a form', () => {
  test.each([
    ['method=DELETE', 'DELETE'],
    ['a=1&method=PATCH&b=2', 'PATCH'],
    ['method=DELETE&method=PUT', 'PUT'],
    ['method', ''],
    ['method=%50UT', 'PUT'],
    ['method=%', '%'],
    ['content=method%3DDELETE', null],
    ['content=x method=DELETE', null],
    ['my_method=DELETE&methods=PUT', null],
    ['', null],
  ])('in %s is %j', (text, value) => {
    expect(valueIn(text, plain)).toBe(value)
  })

  test('is not read from an incomplete pair', () => {
    expect(valueIn('a=1&method=DEL', plain, false)).toBeNull()
  })

  test.each([
    ['alone', `${part('method', 'DELETE')}--b--\r\n`, 'DELETE'],
    ['among others', `${part('a', '1')}${part('method', 'PUT')}${part('c', '2')}--b--`, 'PUT'],
    [
      'in the value of another field',
      `${part('a', 'Content-Disposition: form-data; name="method"\r\n\r\nPUT')}--b--`,
      null,
    ],
    ['in a file', `${part('f', part('method', 'PUT').replace('--b', '--c'), '; filename="x"')}--b--`, null],
    ['after a file', `${part('f', 'x', '; filename="x"')}${part('method', 'PUT')}--b--`, null],
    ['before a file', `${part('method', 'PUT')}${part('f', 'x', '; filename="x"')}--b--`, 'PUT'],
    ['that is a file', `${part('method', 'PUT', '; filename="x"')}--b--`, null],
  ])('in multipart is found %s', (_name, text, value) => {
    expect(valueIn(text, { boundary: 'b' })).toBe(value)
  })

  test('is not waited for once a file has begun, nor in an invalid multipart body', () => {
    const isFinal = (text: string) => findMethodField(Buffer.from(text), { boundary: 'b' }, false).isFinal

    expect(isFinal(part('f', 'xxx', '; filename="x"'))).toBe(true)
    expect(isFinal('xxxx')).toBe(true)
    expect(isFinal('--')).toBe(false)
    expect(isFinal(part('a', 'x'))).toBe(false)
  })
})

describe('a form as a query', () => {
  test('has every field but method, and no files', () => {
    expect(queryOfForm(Buffer.from('a=ä b#&method=GET&c=%20+'), plain)).toBe('a=%c3%a4%20b%23&c=%20+')
    const form = `${part('a', 'ä&=')}${part('method', 'GET')}${part('b', '[1]')}--b--\r\n`
    expect(queryOfForm(Buffer.from(form), { boundary: 'b' })).toBe('a=%c3%a4%26%3d&b=%5b1%5d')
  })
})
