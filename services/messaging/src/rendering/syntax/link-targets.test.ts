import { describe, expect, test } from 'vitest'
import { linkTarget, uploadPathId } from './link-targets.ts'

describe('the target of a link', () => {
  test.each([
    ['https://e.com/a.png', 'image'],
    ['https://e.com/A.JPG?size=1#x', 'image'],
    ['http://e.com/a.webp', 'image'],
    ['/user_uploads/2/ab/cd/a.jpeg', 'image'],
    ['https://e.com/a.mp4', 'video'],
    ['/user_uploads/2/ab/cd/a.webm', 'video'],
    ['https://e.com/a.svg', 'other'],
    ['https://e.com/?a.png', 'other'],
    ['https://e.com/png', 'other'],
    ['//e.com/a.png', 'other'],
    ['mailto:a@e.png', 'other'],
    ['#a.png', 'other'],
    ['https://[/a.png', 'other'],
  ])('%s is of the kind %s', (href, kind) => {
    expect(linkTarget(href)).toEqual({ kind })
  })

  test.each([
    ['https://github.com/o/r/blob/main/a/b.png', 'https://raw.githubusercontent.com/o/r/main/a/b.png'],
    [
      'https://github.com/o/r/blob/main/a%20b.png?raw=true',
      'https://raw.githubusercontent.com/o/r/main/a%20b.png',
    ],
    ['https://gitlab.com/g/s/r/-/blob/main/b.png', 'https://gitlab.com/g/s/r/-/raw/main/b.png'],
    [
      'https://en.wikipedia.org/wiki/File:A_b.jpg',
      'https://en.wikipedia.org/wiki/Special:FilePath/File:A_b.jpg',
    ],
    [
      'https://commons.wikimedia.org/wiki/File:A.png',
      'https://commons.wikimedia.org/wiki/Special:FilePath/File:A.png',
    ],
  ])('%s is a page about the picture %s', (href, source) => {
    expect(linkTarget(href)).toEqual({ kind: 'image', source })
  })

  test.each([
    'https://raw.githubusercontent.com/o/r/main/b.png',
    'https://github.com/o/r/raw/main/b.png',
    'https://github.com.e.com/o/r/blob/main/b.png',
    'https://e.com/wiki/File:A.jpg',
    'https://en.wikipedia.org.e.com/wiki/File:A.jpg',
  ])('%s is a picture itself', (href) => {
    expect(linkTarget(href)).toEqual({ kind: 'image' })
  })

  test('a page without the URL of its picture shows none', () => {
    expect(linkTarget('https://pasteboard.co/abc.png')).toEqual({ kind: 'other' })
  })

  test.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1',
    'https://m.youtube.com/watch?t=1&v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?t=1',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://youtube.com/shorts/dQw4w9WgXcQ',
  ])('%s is a video of YouTube', (href) => {
    expect(linkTarget(href)).toEqual({ kind: 'youtube', videoId: 'dQw4w9WgXcQ' })
  })

  test.each([
    'https://youtube.com.e.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=dQw4w9WgXc"',
    'https://www.youtube.com/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQQ',
  ])('%s is none', (href) => {
    expect(linkTarget(href)).toEqual({ kind: 'other' })
  })
})

describe('the path ID of an upload', () => {
  test.each([
    ['/user_uploads/2/ab/cd/a.png', '2/ab/cd/a.png'],
    ['/user_uploads/2/ab/cd/a%20%C3%A9.png?x#y', '2/ab/cd/a é.png'],
    ['https://chat.e.com/user_uploads/2/ab/cd/a.png', '2/ab/cd/a.png'],
  ])('of %s is %s', (href, pathId) => {
    expect(uploadPathId(href, 'https://chat.e.com')).toBe(pathId)
  })

  test.each([
    'https://e.com/user_uploads/2/ab/cd/a.png',
    'https://chat.e.com.evil.com/user_uploads/2/a',
    '//chat.e.com/user_uploads/2/a',
    '/user_uploads/temporary/x',
    '/user_uploads/2',
    '/user_uploads/2/%ff',
    '/other/user_uploads/2/a',
  ])('does not exist for %s', (href) => {
    expect(uploadPathId(href, 'https://chat.e.com')).toBeNull()
  })
})
