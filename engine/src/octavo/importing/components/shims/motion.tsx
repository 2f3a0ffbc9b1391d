import { createElement, Fragment, type ReactNode } from "react";

/** Elements that move: here they are shown as they are after their movement. */
const LEFT_OUT = new Set([
  "animate", "custom", "drag", "exit", "initial", "layout", "layoutId", "onAnimationComplete", "transition", "variants", "viewport",
  "whileDrag", "whileFocus", "whileHover", "whileInView", "whileTap",
]);
const made = new Map<string, (props: Record<string, unknown>) => ReactNode>();

function element(tag: string) {
  if (!made.has(tag)) {
    made.set(tag, (props) => createElement(tag, Object.fromEntries(Object.entries(props).filter(([name]) => !LEFT_OUT.has(name)))));
  }
  return made.get(tag);
}

export const motion = new Proxy({} as Record<string, ReturnType<typeof element>>, { get: (_, tag) => element(String(tag)) });
export const m = motion;
export const AnimatePresence = Fragment;
export const LazyMotion = Fragment;
export const MotionConfig = Fragment;
export const useReducedMotion = () => true;
export const useInView = () => true;
