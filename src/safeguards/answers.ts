/** What may be answered to a question of the self-check, and what an element of the Rule comes to. */
export const ANSWERS = ['yes', 'partly', 'no', 'unsure'] as const;
export type Answer = (typeof ANSWERS)[number];

export const ANSWER_LABELS: Record<Answer, string> = {
  yes: 'Yes',
  partly: 'Partly',
  no: 'No',
  unsure: 'Not sure',
};

export const STATES = ['in-place', 'partly', 'missing', 'unknown', 'not-required'] as const;
export type State = (typeof STATES)[number];

export const STATE_LABELS: Record<State, string> = {
  'in-place': 'In place',
  partly: 'Partly',
  missing: 'Missing',
  unknown: 'Not known',
  'not-required': 'Not required',
};

/** By the id of the question; what was not answered is not in it. */
export type Answers = Readonly<Record<string, Answer>>;

/** The form as a visitor has filled it in. `store`: the name at the head of the printed report. */
export interface Filled {
  answers: Answers;
  store: string;
}

export const MAX_STORE = 80;
export const NOTHING_ANSWERED = 'Please answer at least one question';
