import { afterEach, describe, expect, test } from 'vitest'
import { TeamMessagingContainer } from './team-messaging-container.ts'

describe('options without a name are rejected before anything starts', () => {
  const container = new TeamMessagingContainer()
  const nameless = {} as never

  test.each([
    ['withUser needs a fullName', () => container.withUser(nameless)],
    ['withBot needs a fullName', () => container.withBot({ fullName: ' ' })],
    ['withChannel needs a name', () => container.withChannel(nameless)],
  ])('%s', (message, request) => {
    expect(request).toThrow(TypeError)
    expect(request).toThrow(message)
  })
})

describe('the image', () => {
  afterEach(() => {
    delete process.env['TEAM_MESSAGING_IMAGE']
  })

  test('is the one in the variable unless the program names one', async () => {
    process.env['TEAM_MESSAGING_IMAGE'] = 'mirror.example.com/team-messaging:2'
    const imageOf = (container: TeamMessagingContainer) =>
      (container as unknown as { imageName: { string: string } }).imageName.string

    expect(imageOf(new TeamMessagingContainer())).toBe('mirror.example.com/team-messaging:2')
    expect(imageOf(new TeamMessagingContainer('team-messaging:3'))).toBe('team-messaging:3')
  })
})
