import { describe, expect, test } from 'vitest'
import { linkTarget, uploadPathId } from './link-targets.ts'

describe('what a link leads to', () => {
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
