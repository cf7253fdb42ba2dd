import { expect, test } from 'vitest'
import { chooseTopics, type TopicNews } from './choose-topics.rules.ts'

const topic = (topicKey: string, people: number, messages: number): TopicNews => ({
  ...{ topicKey, people, messages, firstId: 1 },
})
const topics = [
  topic('monologue', 1, 90),
  topic('debate', 9, 20),
  topic('chat', 3, 50),
  topic('party', 12, 30),
  topic('vote', 8, 10),
  topic('note', 1, 1),
]
const nameOf = async ({ topicKey }: TopicNews) => topicKey

test('a digest has two topics in which most people wrote, and the longest', async () => {
  expect(await chooseTopics(topics, 12, nameOf)).toEqual(['party', 'debate', 'monologue', 'chat'])
})

test('topics without anything for the user are replaced', async () => {
  const describe = async ({ topicKey }: TopicNews) =>
    ['party', 'monologue'].includes(topicKey) ? null : topicKey
  expect(await chooseTopics(topics, 12, describe)).toEqual(['debate', 'vote', 'chat', 'note'])
})

test('only so many topics are looked at', async () => {
  const asked: string[] = []
  const describe = async ({ topicKey }: TopicNews) => {
    asked.push(topicKey)
    return null
  }
  expect(await chooseTopics(topics, 3, describe)).toEqual([])
  expect(asked).toEqual(['party', 'debate', 'vote'])
})

test('few topics are all chosen, each once', async () => {
  expect(await chooseTopics(topics.slice(0, 2), 12, nameOf)).toEqual(['debate', 'monologue'])
})
