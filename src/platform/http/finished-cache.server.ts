import type { FinishedAnswer } from './finished-answer.server.ts';

/** Every answer that is asked for is kept, so a key is one of few that the site knows, never a visitor's words. */
export class FinishedCache {
  readonly #answers = new Map<string, FinishedAnswer>();
  #version = '';

  /** From the cache, or made now; answers of another version of the content are forgotten. */
  get(key: string, version: string, make: () => FinishedAnswer): FinishedAnswer {
    if (version !== this.#version) {
      this.#answers.clear();
      this.#version = version;
    }
    const kept = this.#answers.get(key);
    if (kept) return kept;
    const made = make();
    this.#answers.set(key, made);
    return made;
  }
}
