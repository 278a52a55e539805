export interface Question {
  question: string;
  /** In paragraphs. */
  answer: readonly string[];
}
