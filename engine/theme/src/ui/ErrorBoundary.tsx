import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** What to show in place of the children. */
  fallback: (error: unknown, retry: () => void) => ReactNode;
}

interface ErrorBoundaryState {
  error: unknown;
  hasError: boolean;
}

/** Holds back an error of its children. Give it a key, so that another page begins anew. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null, hasError: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error, hasError: true };
  }

  retry = (): void => {
    this.setState({ error: null, hasError: false });
  };

  override render(): ReactNode {
    return this.state.hasError ? this.props.fallback(this.state.error, this.retry) : this.props.children;
  }
}
