export const useBlogPost = () => ({ frontMatter: {}, metadata: { title: "", frontMatter: {}, tags: [], authors: [] }, assets: {}, toc: [], isBlogPostPage: false });
export const useBlogMetadata = () => ({ blogBasePath: "/blog", blogTitle: "", authorsListPath: "/blog/authors" });
export const useVisibleBlogSidebarItems = () => [];
