import { z } from 'zod'

const choices = z.strictObject({
  widget_type: z.literal('zform'),
  // Existing bots send more fields with each choice, such as a `type`, which clients read.
  extra_data: z.looseObject({
    type: z.literal('choices'),
    heading: z.string(),
    choices: z.array(z.looseObject({ short_name: z.string(), long_name: z.string(), reply: z.string() })),
  }),
})

const poll = z.strictObject({
  widget_type: z.literal('poll'),
  extra_data: z.strictObject({ question: z.string(), options: z.array(z.string()) }),
})

const todo = z.strictObject({
  widget_type: z.literal('todo'),
  extra_data: z.strictObject({
    task_list_title: z.string(),
    tasks: z.array(z.strictObject({ task: z.string(), desc: z.string() })),
  }),
})

/** The initial content of a widget message: buttons, a poll's question and options, or a list's title and tasks. */
export const widgetContent = z.discriminatedUnion('widget_type', [choices, poll, todo])
