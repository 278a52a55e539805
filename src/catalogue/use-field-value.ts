import { type RefObject, useEffect, useRef } from 'react';

/**
 * Writes a value into an uncontrolled field when it changes otherwise than by typing. What was typed before the script came
 * is kept, which React does not promise of a controlled field.
 */
export function useFieldValue(field: RefObject<HTMLInputElement | null>, value: string): void {
  const last = useRef(value);
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    if (field.current && field.current.value !== value) field.current.value = value;
  }, [field, value]);
}
